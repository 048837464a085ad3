//! Processes find each other, and check that they agree.
//!
//! Each of them connects to process 0 and sends its number. Once it has the level, it sends what it explores.
//! Process 0 compares, and sends the addresses of the others to all, or the reason why there is no flood.
//! From then on the connections to process 0 show that both sides are alive.

use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant, SystemTime};

use crate::alarm::Alarm;
use crate::control::{Control, SILENCE, tell_all};
use crate::crew::{Crew, name};
use crate::error::ClusterError;
use crate::frame::{Kind, join, receive, send, split};
use crate::link::Link;
use crate::watch::beat;

/// Every hello begins with this.
const MAGIC: &str = "carom explore";
/// Messages of the flood are of this form, and rules are applied as they are in this version.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", messages 2");
/// A process that is there says so within this time.
const HELLO: Duration = Duration::from_secs(5);
/// How often it is looked for processes that come.
const LOOK: Duration = Duration::from_millis(20);

/// The exploration of a process: it must be the same in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    /// The level, by its checksum.
    pub world: u64,
    /// Rules, spawns and volumes.
    pub rules: u64,
}

/// Processes that have found each other.
#[derive(Debug)]
pub struct Meeting {
    pub(crate) crew: Crew,
    listener: TcpListener,
    /// Of process 0 to all others, of those to process 0.
    pub(crate) controls: Vec<Control>,
    pub(crate) alarm: Alarm,
    /// Connections to each process, once they agree.
    pub(crate) links: Vec<Option<Link>>,
}

impl Meeting {
    /// Waits until all processes are there; at its own address unless a listener is given. `look` is called
    /// now and then; an error of it ends the waiting: a process that was started is gone.
    ///
    /// # Errors
    /// An address where nothing can listen; a process that does not come, has the number of another, runs
    /// another version, or knows of other processes.
    pub fn join(
        crew: Crew,
        listener: Option<TcpListener>,
        mut look: impl FnMut() -> Result<(), String>,
    ) -> Result<Self, ClusterError> {
        crew.check()?;
        let address = crew.listen.clone().unwrap_or_else(|| crew.hosts[crew.process].clone());
        let cannot = |error| ClusterError::Listen { address: address.clone(), process: crew.process, error };
        let listener = listener.map_or_else(|| TcpListener::bind(&address), Ok).map_err(cannot)?;
        let alarm = Alarm::new(crew.threads);
        let deadline = Instant::now() + crew.wait;
        let controls = if crew.process == 0 {
            gather(&crew, &listener, deadline, &mut look)?
        } else {
            vec![greet(&crew, &listener, deadline, &mut look)?]
        };
        beat(controls.clone(), alarm.clone())?;
        Ok(Self { crew, listener, controls, alarm, links: Vec::new() })
    }

    /// Whether this is process 0, which leads.
    pub fn leads(&self) -> bool {
        self.crew.process == 0
    }

    /// The name of this process in errors.
    pub fn name(&self) -> String {
        self.crew.name(self.crew.process)
    }

    /// Refuses the flood, for all: this process cannot take part.
    pub fn refuse(&self, why: &str) {
        tell_all(&self.controls, &format!("{}: {why}", self.name()));
    }

    /// Compares what all processes explore, and connects them.
    ///
    /// # Errors
    /// A process that explores something else, or cannot: by name, at every process.
    pub fn agree(&mut self, ready: &Ready) -> Result<(), ClusterError> {
        let addresses = if self.crew.process == 0 { self.compare(ready)? } else { self.submit(ready)? };
        let links = self.connect(&addresses);
        if let Err(error) = &links {
            tell_all(&self.controls, &error.to_string());
        }
        self.links = links?;
        Ok(())
    }

    /// At process 0: the sign of this run, and the address of each process.
    fn compare(&self, ready: &Ready) -> Result<Vec<String>, ClusterError> {
        let refused = self.controls.iter().find_map(|control| {
            let said = match control.hear() {
                Ok((Kind::Ready, bytes)) => split(&bytes),
                Ok((Kind::Failed, bytes)) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
                Ok(_) => None,
                Err(error) => return Some(control.why(&error)),
            };
            let (name, [world, rules]) = (&control.name, texts_of(ready));
            match said.as_deref() {
                Some([of_world, _]) if *of_world != world => Some(format!(
                    "{name} explores another world, {of_world}, than process 0, {world}: copy the same one to both"
                )),
                Some([_, of_rules]) if *of_rules != rules => Some(format!(
                    "{name} has other rules, spawns or volumes than process 0: give both the same arguments and files"
                )),
                Some([_, _]) => None,
                _ => Some(format!("{name} says something that makes no sense")),
            }
        });
        if let Some(text) = refused {
            tell_all(&self.controls, &text);
            return Err(ClusterError::Refused(text));
        }
        let run = format!("{:?} {}", SystemTime::now(), std::process::id());
        let mut texts = vec![run, self.crew.hosts[0].clone()];
        texts.extend(self.controls.iter().map(|control| control.address.clone()));
        let said = join(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        for control in &self.controls {
            control.say(Kind::Go, &said).map_err(|error| ClusterError::Lost(control.why(&error)))?;
        }
        Ok(texts)
    }

    /// At another one: what process 0 answers.
    fn submit(&self, ready: &Ready) -> Result<Vec<String>, ClusterError> {
        let control = &self.controls[0];
        let lost = |error: io::Error| ClusterError::Lost(control.why(&error));
        let [world, rules] = texts_of(ready);
        // A process that refuses does not listen any more: its answer counts.
        let _ = control.say(Kind::Ready, &join(&[&world, &rules]));
        match control.hear().map_err(lost)? {
            (Kind::Go, bytes) => split(&bytes)
                .filter(|texts| texts.len() == self.crew.hosts.len() + 1)
                .ok_or_else(|| ClusterError::Lost(format!("{} makes no sense", control.name))),
            (_, bytes) => Err(ClusterError::Refused(String::from_utf8_lossy(&bytes).into_owned())),
        }
    }

    /// A connection to each other process: to those before this one, from those after it.
    fn connect(&self, texts: &[String]) -> Result<Vec<Option<Link>>, ClusterError> {
        let (run, addresses) = texts.split_first().ok_or(ClusterError::Refused(String::new()))?;
        let me = self.crew.process;
        let deadline = Instant::now() + SILENCE;
        let mut links: Vec<Option<Link>> = addresses.iter().map(|_| None).collect();
        let link = |stream: TcpStream, process: usize| {
            stream.set_read_timeout(None)?;
            stream.set_nodelay(true)?;
            let name = name(process, &addresses[process]);
            Ok(Link { stream, name, alarm: self.alarm.clone() })
        };
        let cannot = |process: usize, error: &io::Error| {
            ClusterError::Lost(format!(
                "process {me} cannot reach {}: {error}",
                name(process, &addresses[process])
            ))
        };
        for (process, address) in addresses.iter().enumerate().take(me) {
            let number = me.to_string();
            let stream = reach(address, deadline, &mut || Ok(())).and_then(|stream| {
                send(&stream, Kind::Link, &join(&[run, &number]))?;
                link(stream, process)
            });
            links[process] = Some(stream.map_err(|error| cannot(process, &error))?);
        }
        self.listener.set_nonblocking(true).map_err(|error| ClusterError::System("listen", error))?;
        while let Some(missing) = (me + 1..links.len()).find(|process| links[*process].is_none()) {
            if Instant::now() > deadline {
                return Err(cannot(missing, &ErrorKind::TimedOut.into()));
            }
            let Some(Accepted { stream, kind, texts }) = accepted(&self.listener) else { continue };
            // A connection of another run, or of another program, is ignored.
            let number = match texts.as_slice() {
                [of_run, number] if kind == Kind::Link && of_run == run => number.parse::<usize>().ok(),
                _ => None,
            };
            if let Some(number) = number.filter(|number| *number > me && *number < links.len()) {
                links[number] = Some(link(stream, number).map_err(|error| cannot(number, &error))?);
            }
        }
        Ok(links)
    }
}

fn texts_of(ready: &Ready) -> [String; 2] {
    [ready.world, ready.rules].map(|hash| format!("{hash:016x}"))
}

/// A connection and its first message.
struct Accepted {
    stream: TcpStream,
    kind: Kind,
    texts: Vec<String>,
}

/// The next connection; `None` if there is none, or if it is from another program.
fn accepted(listener: &TcpListener) -> Option<Accepted> {
    let Ok((stream, _)) = listener.accept() else {
        std::thread::sleep(LOOK);
        return None;
    };
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(HELLO)).ok()?;
    let (kind, bytes) = receive(&stream).ok()?;
    Some(Accepted { stream, kind, texts: split(&bytes)? })
}

/// At process 0: all others, in their order.
fn gather(
    crew: &Crew,
    listener: &TcpListener,
    deadline: Instant,
    look: &mut impl FnMut() -> Result<(), String>,
) -> Result<Vec<Control>, ClusterError> {
    listener.set_nonblocking(true).map_err(|error| ClusterError::System("listen", error))?;
    let mut there: Vec<Option<Control>> = crew.hosts.iter().map(|_| None).collect();
    let mut refused = None;
    while let (None, Some(missing)) = (&refused, (1..there.len()).find(|process| there[*process].is_none())) {
        if let Err(text) = look() {
            refused = Some(text);
        } else if Instant::now() > deadline {
            let name = crew.name(missing);
            refused = Some(format!("{name} has not come within {} s", crew.wait.as_secs()));
        }
        let Some(Accepted { stream, kind: Kind::Hello, texts }) = accepted(listener) else { continue };
        let [magic, version, processes, threads, number, address] = texts.as_slice() else { continue };
        let Some(number) = number.parse::<usize>().ok().filter(|_| magic == MAGIC) else { continue };
        let from = name(number, address);
        refused = if version != VERSION {
            Some(format!(
                "{from} runs carom {version}, and process 0 carom {VERSION}: install the same on both"
            ))
        } else if *processes != crew.hosts.len().to_string() || number == 0 || number >= there.len() {
            Some(format!("{from} is one of {processes} processes, and process 0 expects {}", there.len()))
        } else if *threads != crew.threads.to_string() {
            Some(format!("{from} has --workers {threads}, and process 0 --workers {}", crew.threads))
        } else {
            there[number].as_ref().map(|first| {
                let first = &first.address;
                format!("two processes have the number {number}, at {first} and at {address}: give each its own --process")
            })
        };
        let control = Control::new(number, stream, address.clone());
        match control.map_err(|error| format!("{from} cannot be reached: {error}")) {
            Ok(control) if refused.is_some() => {
                tell_all(std::slice::from_ref(&control), refused.as_deref().unwrap_or_default());
            }
            Ok(control) => there[number] = Some(control),
            Err(text) => refused = Some(text),
        }
    }
    let there: Vec<Control> = there.into_iter().flatten().collect();
    match refused {
        None => Ok(there),
        Some(text) => {
            tell_all(&there, &text);
            Err(ClusterError::Refused(text))
        }
    }
}

/// At another one: says to process 0 that it is there.
fn greet(
    crew: &Crew,
    listener: &TcpListener,
    deadline: Instant,
    look: &mut impl FnMut() -> Result<(), String>,
) -> Result<Control, ClusterError> {
    let listens = |error| ClusterError::System("listen", error);
    let port = listener.local_addr().map_err(listens)?.port();
    let host = crew.hosts[crew.process].rsplit_once(':').map_or("", |(host, _)| host);
    let named = crew.hosts[crew.process].rsplit_once(':').map_or("", |(_, port)| port);
    // Through a tunnel others reach it at another port than that where it listens.
    let port = if named == "0" { port.to_string() } else { named.to_owned() };
    let address = format!("{host}:{port}");
    let [processes, threads, number] = [crew.hosts.len(), crew.threads, crew.process].map(|n| n.to_string());
    let said = join(&[MAGIC, VERSION, &processes, &threads, &number, &address]);
    let control = reach(&crew.hosts[0], deadline, look).and_then(|stream| {
        send(&stream, Kind::Hello, &said)?;
        Control::new(0, stream, crew.hosts[0].clone())
    });
    control.map_err(|error| {
        let name = crew.name(0);
        ClusterError::Lost(format!("{name} cannot be reached within {} s: {error}", crew.wait.as_secs()))
    })
}

/// A connection to an address, as soon as something listens there.
fn reach(
    address: &str,
    deadline: Instant,
    look: &mut impl FnMut() -> Result<(), String>,
) -> io::Result<TcpStream> {
    loop {
        let connected = address.to_socket_addrs().and_then(|resolved| {
            let mut last = Err(ErrorKind::AddrNotAvailable.into());
            for one in resolved {
                last = TcpStream::connect_timeout(&one, HELLO);
                if last.is_ok() {
                    break;
                }
            }
            last
        });
        match connected {
            Ok(stream) => return Ok(stream),
            Err(error) if Instant::now() > deadline => return Err(error),
            Err(_) => look().map_err(io::Error::other)?,
        }
        std::thread::sleep(5 * LOOK);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::io::Write;
    use std::thread;

    use super::*;

    /// The answer of process 0 of two to a first message, and the result of its own meeting.
    fn met(hello: &[&str]) -> (String, Result<Meeting, ClusterError>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let hosts = vec![address.to_string(), "127.0.0.1:0".to_owned()];
        let crew = Crew { process: 0, hosts, listen: None, threads: 1, wait: Duration::from_secs(20) };
        let first = thread::spawn(move || Meeting::join(crew, Some(listener), || Ok(())));
        // A stranger changes nothing.
        TcpStream::connect(address).unwrap().write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let stream = TcpStream::connect(address).unwrap();
        send(&stream, Kind::Hello, &join(hello)).unwrap();
        let said = receive(&stream).unwrap();
        (String::from_utf8(said.1).unwrap(), first.join().unwrap())
    }

    #[test]
    fn another_version_or_number_of_processes_is_refused_on_both_sides() {
        let there = "127.0.0.1:77";
        let bad = [
            ([MAGIC, "0.0.1", "2", "1", "1", there], "carom 0.0.1"),
            ([MAGIC, VERSION, "3", "1", "1", there], "3 processes"),
            ([MAGIC, VERSION, "2", "4", "1", there], "--workers 4"),
            ([MAGIC, VERSION, "2", "1", "2", there], "process 2 (127.0.0.1:77)"),
            ([MAGIC, VERSION, "2", "1", "0", there], "process 0 (127.0.0.1:77)"),
        ];
        for (hello, expected) in bad {
            let (said, result) = met(&hello);
            assert!(said.contains(expected), "{said}");
            let refused = matches!(result, Err(ClusterError::Refused(text)) if text == said);
            assert!(refused, "{said}");
        }
        let (said, result) = met(&[MAGIC, VERSION, "2", "1", "1", there]);
        // A sign of life.
        assert_eq!(said, "");
        assert!(result.unwrap().leads());
    }
}
