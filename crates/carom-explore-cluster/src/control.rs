//! A connection between process 0 and another one, beside the flood.

use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::crew::name;
use crate::frame::{Kind, receive, send};

/// A process that is silent for this long is lost: its host is down, or the connection to it.
pub(crate) const SILENCE: Duration = Duration::from_secs(30);

/// A connection between process 0 and another one, beside the flood.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    pub(crate) name: String,
    pub(crate) reader: Arc<TcpStream>,
    writer: Arc<Mutex<TcpStream>>,
    /// Where the process listens for the flood.
    pub(crate) address: String,
}

impl Control {
    pub(crate) fn new(process: usize, stream: TcpStream, address: String) -> io::Result<Self> {
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        stream.set_nodelay(true)?;
        let writer = Arc::new(Mutex::new(stream.try_clone()?));
        let name = name(process, &address);
        Ok(Self { name, reader: Arc::new(stream), writer, address })
    }

    pub(crate) fn say(&self, kind: Kind, bytes: &[u8]) -> io::Result<()> {
        send(&*self.writer.lock().unwrap_or_else(PoisonError::into_inner), kind, bytes)
    }

    /// The next that is more than a sign of life.
    pub(crate) fn hear(&self) -> io::Result<(Kind, Vec<u8>)> {
        loop {
            let (kind, bytes) = receive(&*self.reader)?;
            if kind != Kind::Beat {
                return Ok((kind, bytes));
            }
        }
    }

    /// Why nothing more is heard.
    pub(crate) fn why(&self, error: &io::Error) -> String {
        let name = &self.name;
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("{name} has not been heard of for {} s", SILENCE.as_secs())
            }
            ErrorKind::UnexpectedEof => format!("{name} has ended: look at what it said"),
            _ => format!("{name} cannot be reached any more: {error}"),
        }
    }
}

/// Says to all why there is no flood, or none any more.
pub(crate) fn tell_all(controls: &[Control], why: &str) {
    for control in controls {
        // One that has ended needs not know.
        let _ = control.say(Kind::Failed, why.as_bytes());
    }
}
