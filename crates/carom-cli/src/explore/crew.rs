//! Many workers: threads, processes that are started here, or processes of a farm.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use carom_explore::{Explorer, Level, Rules, Stop, Task, Watch, fingerprint};
use carom_explore_cluster::{Crew, Flooded, Meeting, Ready, flood, flood_alone, hosts};
use clap::Args;
use glam::DVec3;

/// The host of processes that are started here.
const LOOPBACK: &str = "127.0.0.1";
/// The time that processes started here have to end.
const ENDING: Duration = Duration::from_secs(5);

/// The workers and their hosts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many workers")]
pub(crate) struct CrewArgs {
    /// The number of workers in each process, one thread each. It does not change the report.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// Starts this many processes on this host, which flood together.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256), conflicts_with = "processes")]
    spawn_local: Option<u16>,
    /// The number of processes that flood together. Start each with the same arguments and its own --process.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=4096), requires = "process")]
    processes: Option<u16>,
    /// The number of this process, from 0. Process 0 writes the report.
    #[arg(long, value_name = "I", allow_negative_numbers = true, requires = "processes")]
    process: Option<u16>,
    /// The addresses of the processes in order, one host:port per line. Default: 127.0.0.1:2101 and so on.
    /// Traffic is neither encrypted nor authenticated: see docs/cluster.md.
    #[arg(long, value_name = "FILE", requires = "processes")]
    hosts: Option<PathBuf>,
    /// The address on which this process listens, if it is not its own address in --hosts.
    #[arg(long, value_name = "HOST:PORT", requires = "processes")]
    listen: Option<String>,
    /// How long processes wait for each other at the start, in seconds.
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 60)]
    wait: u32,
    /// The port of process 0, which has started this one.
    #[arg(long, value_name = "PORT", hide = true, requires = "processes")]
    meet: Option<u16>,
}

/// The workers of a flood.
pub(crate) enum Together {
    /// This process, with its pool of threads.
    Alone,
    /// This many workers of this process.
    Workers(usize),
    /// Several processes, of which this one may have started the others.
    Processes(Box<Meeting>, Children),
}

impl Together {
    /// Finds the other processes, if there are any.
    pub(crate) fn gather(arguments: &CrewArgs) -> Result<Self> {
        let threads = usize::from(arguments.workers.unwrap_or(1));
        let wait = Duration::from_secs(u64::from(arguments.wait));
        if let Some(count) = arguments.spawn_local {
            let listener = TcpListener::bind((LOOPBACK, 0)).context("cannot listen on this host")?;
            let port = listener.local_addr().context("cannot listen on this host")?.port();
            let crew = Crew { process: 0, hosts: local(count, port), listen: None, threads, wait };
            let mut children = Children::start(count, port)?;
            let meeting = Meeting::join(crew, Some(listener), || children.check())?;
            return Ok(Self::Processes(Box::new(meeting), children));
        }
        let (Some(processes), Some(process)) = (arguments.processes, arguments.process) else {
            return Ok(arguments.workers.map_or(Self::Alone, |workers| Self::Workers(usize::from(workers))));
        };
        let hosts = match (&arguments.hosts, arguments.meet) {
            (Some(path), _) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the hosts {}", path.display()))?;
                hosts(&text, usize::from(processes)).with_context(|| path.display().to_string())?
            }
            (None, Some(port)) => local(processes, port),
            (None, None) => {
                ensure!(u32::from(processes) + 2101 < 65_536, "--processes {processes}: name --hosts");
                (0..processes).map(|number| format!("{LOOPBACK}:{}", 2101 + number)).collect()
            }
        };
        let listen = arguments.listen.clone();
        let crew = Crew { process: usize::from(process), hosts, listen, threads, wait };
        let meeting = Meeting::join(crew, None, || Ok(()))?;
        Ok(Self::Processes(Box::new(meeting), Children::default()))
    }

    /// Whether this process has the exploration, and writes its results.
    pub(crate) fn leads(&self) -> bool {
        match self {
            Self::Alone | Self::Workers(_) => true,
            Self::Processes(meeting, _) => meeting.leads(),
        }
    }

    /// Sends the others the reason why there is no flood.
    pub(crate) fn refuse(&self, error: &anyhow::Error) {
        if let Self::Processes(meeting, _) = self {
            meeting.refuse(&format!("{error:#}"));
        }
    }

    /// Checks that all processes explore the same level by the same rules.
    pub(crate) fn agree(&mut self, level: &Level, rules: &Rules, spawns: &[DVec3]) -> Result<()> {
        if let Self::Processes(meeting, _) = self {
            let [world, rules] = fingerprint(level, rules, spawns);
            meeting.agree(&Ready { world, rules })?;
        }
        Ok(())
    }

    /// Floods with all workers; `None` if there is only this process.
    pub(crate) fn flood<'a>(
        self,
        explorer: &mut Explorer<'a>,
        task: Task<'a>,
        stop: &Stop,
        watch: Watch<'_, 'a>,
    ) -> Result<Option<Flooded>> {
        match self {
            Self::Alone => Ok(None),
            Self::Workers(count) => Ok(Some(flood_alone(explorer, task, count, stop, watch)?)),
            Self::Processes(meeting, children) => {
                let name = meeting.name();
                let flooded = flood(*meeting, Some((explorer, watch)), task, stop);
                drop(children);
                say(&name, flooded.as_ref().ok());
                Ok(Some(flooded?))
            }
        }
    }

    /// Floods together with the others; another process leads.
    pub(crate) fn follow(self, level: &Level, rules: &Rules, stop: &Stop) -> Result<()> {
        let Self::Processes(meeting, _) = self else { bail!("no process leads") };
        let name = meeting.name();
        let flooded = flood(*meeting, None, Task { level, rules }, stop)?;
        say(&name, Some(&flooded));
        Ok(())
    }
}

/// Prints the work of a process.
fn say(name: &str, flooded: Option<&Flooded>) {
    if let Some(Flooded { places, memory, sent, .. }) = flooded {
        eprintln!("{name} flooded {places} places, which use {memory} bytes, and sent {sent} bytes");
    }
}

/// Processes on this host, of which the first listens at a port.
fn local(count: u16, port: u16) -> Vec<String> {
    (0..count).map(|number| format!("{LOOPBACK}:{}", if number == 0 { port } else { 0 })).collect()
}

/// Processes that this one has started.
#[derive(Debug, Default)]
pub(crate) struct Children(Vec<(usize, Child)>);

impl Children {
    /// Starts this program again for each process but the first, with the same arguments.
    fn start(count: u16, port: u16) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut arguments = Vec::new();
        let mut given = std::env::args_os().skip(1);
        while let Some(argument) = given.next() {
            if argument == "--spawn-local" {
                given.next();
            } else if !argument.to_string_lossy().starts_with("--spawn-local=") {
                arguments.push(argument);
            }
        }
        let mut children = Self::default();
        for number in 1..count {
            let child = Command::new(&program)
                .args(&arguments)
                .args(["--processes", &count.to_string(), "--process", &number.to_string()])
                .args(["--meet", &port.to_string()])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .with_context(|| format!("cannot start process {number}"))?;
            children.0.push((usize::from(number), child));
        }
        Ok(children)
    }

    /// Whether all of them are running.
    fn check(&mut self) -> Result<(), String> {
        for (number, child) in &mut self.0 {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(format!("process {number} has ended ({status}): look at what it said"));
            }
        }
        Ok(())
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        // They end when this process says so, or ends.
        let begun = Instant::now();
        for (_, child) in &mut self.0 {
            while begun.elapsed() < ENDING && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
