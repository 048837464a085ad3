//! A connection that carries the flood to one other process.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::alarm::Alarm;

/// A process that ends because another one has ended says so before. So long after a link is lost, what it
/// said counts for more.
const GRACE: Duration = Duration::from_secs(2);

/// Counts what it sends, and says by name when the other side ends.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) stream: TcpStream,
    pub(crate) name: String,
    pub(crate) alarm: Alarm,
}

impl Link {
    /// The result of a read or a write for timely. Its threads panic at an error: they wait here instead, for
    /// the end of the process, which the alarm brings.
    fn passed(&self, result: io::Result<usize>, is_end: impl Fn(usize) -> bool) -> io::Result<usize> {
        let why = match &result {
            Ok(count) if is_end(*count) => "it ended, or was ended: look at what it said".to_owned(),
            Ok(_) => return result,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return result,
            Err(error) => error.to_string(),
        };
        if !self.alarm.is_over() {
            thread::sleep(GRACE);
        }
        if self.alarm.is_over() {
            return result;
        }
        self.alarm.raise(format!("lost {}: {why}", self.name));
        loop {
            thread::park();
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.stream.read(buffer);
        self.passed(result, |count| count == 0)
    }
}

impl Write for Link {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let result = self.stream.write(buffer);
        let written = self.passed(result, |_| false)?;
        self.alarm.count_sent(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, name: self.name.clone(), alarm: self.alarm.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
