//! The flood as a timely dataflow: a round of messages is a timestamp.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use carom_explore::{End, Explorer, Message, Stop, Task, Watch, Worker, WorkerNumber};
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::worker::Worker as TimelyWorker;

use crate::alarm::Alarm;
use crate::control::{Control, tell_all};
use crate::error::ClusterError;
use crate::link::Link;
use crate::meeting::Meeting;
use crate::watch::watch;

/// How long a worker that waits sleeps at most before it looks at the alarm.
const NAP: Duration = Duration::from_millis(10);
/// Others hear from process 0 why there is no flood any more before this process ends, too.
const LINGER: Duration = Duration::from_millis(500);
/// How long the last bytes may take.
const CLOSING: Duration = Duration::from_secs(5);

/// From which worker, to which, about what, and that.
type Packet = (u32, u32, u8, Vec<u8>);

/// How a flood ended at a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flooded {
    /// How it ended: never with a failure.
    pub end: End,
    /// Bytes sent to other processes.
    pub sent: u64,
    /// Places that belong to the workers of this process.
    pub places: usize,
    /// Bytes held by them, beside the exploration and the tiles.
    pub memory: usize,
}

/// The exploration that is flooded: at process 0 the one that reports afterwards.
enum Flooding<'e, 'a> {
    Leads(&'e mut Explorer<'a>, Watch<'e, 'a>),
    Follows,
}

/// Floods with threads of this process alone.
///
/// # Errors
/// A watch that fails; a worker that panics.
pub fn flood_alone<'a>(
    explorer: &mut Explorer<'a>,
    task: Task<'a>,
    threads: usize,
    stop: &Stop,
    watch: Watch<'_, 'a>,
) -> Result<Flooded, ClusterError> {
    let own = ThisProcess { process: 0, threads, processes: 1, name: "process 0".to_owned() };
    let flooding = Flooding::Leads(explorer, watch);
    run(Network { own: &own, links: Vec::new(), alarm: &Alarm::new(threads) }, task, flooding, stop)
}

/// Floods together with the other processes. Process 0 has the exploration, and looks at it after each batch.
///
/// # Errors
/// A process or a worker that ended, by name; a watch that fails.
pub fn flood<'a>(
    meeting: Meeting,
    explorer: Option<(&mut Explorer<'a>, Watch<'_, 'a>)>,
    task: Task<'a>,
    stop: &Stop,
) -> Result<Flooded, ClusterError> {
    let Meeting { crew, controls, alarm, links, .. } = meeting;
    watch(&controls, &alarm)?;
    let own = ThisProcess {
        process: crew.process,
        threads: crew.threads,
        processes: crew.hosts.len(),
        name: crew.name(crew.process),
    };
    let flooding = match explorer {
        Some((explorer, watch)) => Flooding::Leads(explorer, watch),
        None => Flooding::Follows,
    };
    let flooded = run(Network { own: &own, links, alarm: &alarm }, task, flooding, stop);
    if let Err(error) = &flooded {
        say_why(&controls, error);
    }
    flooded
}

fn say_why(controls: &[Control], error: &ClusterError) {
    tell_all(controls, &error.to_string());
    thread::sleep(LINGER);
}

/// Which process this is, of which.
struct ThisProcess {
    process: usize,
    threads: usize,
    processes: usize,
    name: String,
}

impl ThisProcess {
    fn workers(&self) -> usize {
        self.threads * self.processes
    }
}

/// This process among the others.
struct Network<'n> {
    own: &'n ThisProcess,
    /// To each other process.
    links: Vec<Option<Link>>,
    /// Rings when a process is lost.
    alarm: &'n Alarm,
}

/// Runs all workers of this process, the first of them on this thread.
fn run<'a>(
    Network { own, links, alarm }: Network<'_>,
    task: Task<'a>,
    flooding: Flooding<'_, 'a>,
    stop: &Stop,
) -> Result<Flooded, ClusterError> {
    let (builders, guard) = allocators(own, links)?;
    let results = thread::scope(|scope| {
        let mut builders = builders.into_iter().enumerate();
        let first = builders.next();
        let others: Vec<_> = builders
            .map(|(thread, builder)| {
                let work = move || one(own, thread, builder, task, Flooding::Follows, stop, alarm);
                scope.spawn(work)
            })
            .collect();
        let mut results = Vec::new();
        if let Some((thread, builder)) = first {
            results.push(one(own, thread, builder, task, flooding, stop, alarm));
        }
        results.extend(others.into_iter().map(|other| other.join().unwrap_or(None)));
        results
    });
    let ended: Option<Vec<Done>> = results.into_iter().collect();
    let Some(ended) = ended.filter(|_| alarm.text().is_none()) else {
        // Timely's threads wait for what never comes: they end with the process.
        std::mem::forget(guard);
        let text = alarm.text().unwrap_or("a worker ended early");
        return Err(ClusterError::Lost(text.to_owned()));
    };
    close(guard);
    let memory = ended.iter().map(|done| done.memory).sum();
    let places = ended.iter().map(|done| done.places).sum();
    match ended.into_iter().next().map(|done| done.end) {
        Some(End::Failed(text)) => Err(ClusterError::Lost(text)),
        Some(end) => Ok(Flooded { end, sent: alarm.sent(), places, memory }),
        None => Err(ClusterError::Lost("there are no workers".to_owned())),
    }
}

/// Lets the last bytes go out, for a while.
fn close(guard: Box<dyn Any + Send>) {
    let (done, wait) = channel();
    let closing = thread::Builder::new().name("carom-close".to_owned()).spawn(move || {
        // A process that has ended is none of our business any more.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(guard)));
        let _ = done.send(());
    });
    if closing.is_ok() {
        let _ = wait.recv_timeout(CLOSING);
    }
}

/// Makes what carries the messages of one worker, on its thread.
enum Builder {
    Process(ProcessBuilder),
    Tcp(TcpBuilder),
}

impl Builder {
    fn build(self) -> Allocator {
        match self {
            Self::Process(builder) => Allocator::Process(builder.build()),
            Self::Tcp(builder) => Allocator::Tcp(builder.build()),
        }
    }
}

type Allocators = (Vec<Builder>, Box<dyn Any + Send>);

/// The channels between the workers of this process, and to those of other processes.
fn allocators(own: &ThisProcess, links: Vec<Option<Link>>) -> Result<Allocators, ClusterError> {
    let hooks = Hooks::default();
    let here = ProcessBuilder::new_typed_vector(own.threads, hooks.refill.clone(), None);
    if links.len() <= 1 {
        return Ok((here.into_iter().map(Builder::Process).collect(), Box::new(())));
    }
    let connected = initialize_networking_from_sockets(here, links, own.process, own.threads, hooks);
    let (builders, guard) =
        connected.map_err(|error| ClusterError::System("cannot start the threads of the network", error))?;
    Ok((builders.into_iter().map(Builder::Tcp).collect(), Box::new(guard)))
}

/// The result of a worker.
struct Done {
    end: End,
    places: usize,
    memory: usize,
}

/// One worker, on its thread. `None` after the alarm.
fn one<'a>(
    own: &ThisProcess,
    thread: usize,
    builder: Builder,
    task: Task<'a>,
    flooding: Flooding<'_, 'a>,
    stop: &Stop,
    alarm: &Alarm,
) -> Option<Done> {
    let number = own.process * own.threads + thread;
    let work = || {
        let worker = match flooding {
            Flooding::Leads(explorer, watch) => Worker::first(explorer, own.workers(), watch),
            Flooding::Follows => {
                let worker = WorkerNumber { number, count: own.workers() };
                Worker::other(task, worker, stop.clone())
            }
        };
        let mut worker = worker.map_err(|error| error.to_string())?;
        let mut timely = TimelyWorker::new(Default::default(), builder.build(), Some(Instant::now()));
        let ended = rounds(&mut worker, &mut timely, alarm);
        if ended.is_err() {
            // It would wait for others to close.
            timely.installed_dataflows().into_iter().for_each(|dataflow| timely.drop_dataflow(dataflow));
        }
        ended.map(|end| Done { end, places: worker.places(), memory: worker.memory() })
    };
    let why = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => return Some(done),
        Ok(Err(text)) => text,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no more is known");
            format!("worker {number}, of {}, panicked: {said}", own.name)
        }
    };
    alarm.raise(why);
    // The exploration of the others of this process is worthless now.
    stop.set();
    None
}

/// Goes from round to round until the flood ends, or the alarm is raised.
fn rounds(worker: &mut Worker<'_, '_>, timely: &mut TimelyWorker, alarm: &Alarm) -> Result<End, String> {
    let inbox: Rc<RefCell<BTreeMap<u64, Vec<Packet>>>> = Rc::default();
    let filled = Rc::clone(&inbox);
    let mut input = InputHandle::<u64, _>::new();
    let probe = timely.dataflow(|scope| {
        let to = Exchange::new(|packet: &Packet| u64::from(packet.1));
        // Nothing continues from the inbox: the next round does.
        let arrived = scope.input_from(&mut input).unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
            to,
            "inbox",
            |_, _| {
                move |messages, _| {
                    messages.for_each(|time, packets: &mut Vec<Packet>| {
                        let round = time.least().copied().unwrap_or_default();
                        filled.borrow_mut().entry(round).or_default().append(packets);
                    });
                }
            },
        );
        let (probe, _) = arrived.probe();
        probe
    });
    let mut messages = Vec::new();
    for round in 0.. {
        let sent = worker.step(messages).map_err(|error| error.to_string())?;
        for Message { from, to, topic, bytes } in sent {
            input.send((from as u32, to as u32, topic, bytes));
        }
        input.advance_to(round + 1);
        if let Some(end) = worker.end().cloned() {
            // Before others can know that this worker is at the end: then they may close.
            alarm.has_ended();
            input.close();
            let ended = Instant::now();
            while timely.has_dataflows() && alarm.text().is_none() && ended.elapsed() < CLOSING {
                timely.step_or_park(Some(NAP));
            }
            return Ok(end);
        }
        while probe.less_than(input.time()) {
            if let Some(text) = alarm.text() {
                return Err(text.to_owned());
            }
            timely.step();
            if probe.less_than(input.time()) && !worker.work_ahead() {
                timely.step_or_park(Some(NAP));
            }
        }
        let received = inbox.borrow_mut().remove(&round).unwrap_or_default();
        let message =
            |(from, to, topic, bytes): Packet| Message { from: from as usize, to: to as usize, topic, bytes };
        messages = received.into_iter().map(message).collect();
    }
    Err("the flood has too many rounds".to_owned())
}
