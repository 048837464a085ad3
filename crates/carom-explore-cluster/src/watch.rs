//! Whether the other processes are alive.

use std::io::ErrorKind;
use std::thread;
use std::time::Duration;

use crate::alarm::Alarm;
use crate::control::Control;
use crate::error::ClusterError;
use crate::frame::Kind;

/// How often each says that it lives.
const BEAT: Duration = Duration::from_secs(2);

/// Reports that this process lives, until the flood is over or all connections are closed.
pub(crate) fn beat(controls: Vec<Control>, alarm: Alarm) -> Result<(), ClusterError> {
    let beats = move || {
        while !alarm.is_over() {
            let heard = controls.iter().filter(|control| control.say(Kind::Beat, &[]).is_ok()).count();
            if heard == 0 {
                return;
            }
            thread::sleep(BEAT);
        }
    };
    let thread = thread::Builder::new().name("carom-beat".to_owned()).spawn(beats);
    thread.map(drop).map_err(|error| ClusterError::System("cannot start a thread", error))
}

/// Raises the alarm when a process ends before the flood is over, or says that it must end.
pub(crate) fn watch(controls: &[Control], alarm: &Alarm) -> Result<(), ClusterError> {
    for control in controls {
        let (control, alarm) = (control.clone(), alarm.clone());
        let listens = move || {
            loop {
                match control.hear() {
                    Ok((Kind::Failed, text)) => alarm.raise(String::from_utf8_lossy(&text).into_owned()),
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => {
                        alarm.raise(control.why(&error));
                        return;
                    }
                }
            }
        };
        let thread = thread::Builder::new().name("carom-watch".to_owned()).spawn(listens);
        thread.map_err(|error| ClusterError::System("cannot start a thread", error))?;
    }
    Ok(())
}
