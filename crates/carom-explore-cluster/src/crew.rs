//! The processes and their addresses.

use std::time::Duration;

use crate::error::ClusterError;

/// The processes that explore together, as one of them sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// The number of this process. Process 0 leads and writes the report.
    pub process: usize,
    /// `host:port` of each process. Port 0, of any but process 0: one that is free.
    pub hosts: Vec<String>,
    /// Where this process listens, if not at its own address of `hosts`.
    pub listen: Option<String>,
    /// Workers of each process, each a thread.
    pub threads: usize,
    /// How long processes wait for each other.
    pub wait: Duration,
}

impl Crew {
    /// Workers of all processes.
    pub fn workers(&self) -> usize {
        self.hosts.len() * self.threads
    }

    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        let count = self.hosts.len();
        if self.process >= count {
            let text = format!(
                "there is no process {} of {count}: they are numbered from 0 to {}",
                self.process,
                count.saturating_sub(1)
            );
            return Err(ClusterError::Crew(text));
        }
        if self.threads == 0 || self.workers() > 65_536 {
            return Err(ClusterError::Crew("there may be 1 to 65536 workers in all".to_owned()));
        }
        if self.hosts[0].ends_with(":0") {
            return Err(ClusterError::Crew("process 0 needs a port that others can name, not 0".to_owned()));
        }
        Ok(())
    }

    pub(crate) fn name(&self, process: usize) -> String {
        name(process, &self.hosts[process])
    }
}

/// The name of a process in errors.
pub(crate) fn name(process: usize, address: &str) -> String {
    // A port that is still to be found names nothing.
    format!("process {process} ({})", address.strip_suffix(":0").unwrap_or(address))
}

/// The addresses in a file of hosts: one `host:port` a line, in the order of the processes. Empty lines and
/// what follows a `#` are left out.
///
/// # Errors
/// Fewer than there are processes, one without a port, or one that is there twice.
pub fn hosts(text: &str, processes: usize) -> Result<Vec<String>, ClusterError> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let hosts: Vec<String> =
        lines.filter(|line| !line.is_empty()).take(processes).map(str::to_owned).collect();
    if hosts.len() < processes {
        let text =
            format!("the file of hosts names {} of {processes} processes: one host:port a line", hosts.len());
        return Err(ClusterError::Crew(text));
    }
    for (number, host) in hosts.iter().enumerate() {
        let port = host
            .rsplit_once(':')
            .and_then(|(name, port)| port.parse::<u16>().ok().filter(|_| !name.is_empty()));
        if port.is_none() {
            return Err(ClusterError::Crew(format!("{host:?} in the file of hosts is not host:port")));
        }
        if let Some(first) = hosts[..number].iter().position(|other| other == host && port != Some(0)) {
            let text =
                format!("processes {first} and {number} have the same address {host} in the file of hosts");
            return Err(ClusterError::Crew(text));
        }
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_and_bad_ones_refused() {
        let text = "# the farm\nnode1:2101\n\n  node2:2101 # slow\n[::1]:2101\n";
        assert_eq!(hosts(text, 3).unwrap_or_default(), ["node1:2101", "node2:2101", "[::1]:2101"]);
        assert_eq!(hosts(text, 2).unwrap_or_default().len(), 2);
        for (text, count) in [("a:1\n", 2), ("a\nb:1", 2), ("a:1\na:1", 2), (":1", 1), ("a:99999", 1)] {
            assert!(matches!(hosts(text, count), Err(ClusterError::Crew(_))), "{text:?}");
        }
    }
}
