//! `carom explore` by many workers: in threads, in processes, and when some of them fail.

use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use carom_scenes::Random;
use carom_scenes::workload::Terrain;

use crate::report::HOLED;
use crate::tiles::{contents, obj};
use crate::{Files, Said, carom, run, text_of};

/// Explores, and compares with a report of one process to the byte.
fn assert_same(files: &Files, arguments: &[&str], crews: &[&[&str]]) {
    let report = |name: &str, crew: &[&str]| {
        let folder = files.path(name);
        let said = run(&[&["explore", "--out", &text_of(&folder)], arguments, crew].concat());
        assert!(said.code < 2, "{crew:?}: {}", said.err);
        contents(&folder)
    };
    let alone = report("alone", &[]);
    assert!(alone.len() >= 4, "{:?}", alone.keys());
    for crew in crews {
        assert!(report("together", crew) == alone, "{crew:?} {arguments:?}");
    }
}

#[test]
fn a_report_is_the_same_by_workers_in_threads_and_processes() {
    let files = Files::new();
    let holed = files.write("porch.obj", HOLED);
    let crews: [&[&str]; 6] = [
        &["--workers", "1"],
        &["--workers", "4"],
        &["--workers", "8"],
        &["--spawn-local", "2"],
        &["--spawn-local", "2", "--workers", "2"],
        &["--spawn-local", "8"],
    ];
    assert_same(&files, &[&holed, "--spawn", "2,0.95,3", "--cell", "0.3"], &crews);
    assert_same(&files, &["--jump", "0"], &[&["--spawn-local", "3"]]);
}

#[test]
fn a_world_in_tiles_is_the_same_by_many_workers() {
    let files = Files::new();
    let hills = files.write("hills.obj", &obj(Terrain::new(50).mesh()));
    let world = text_of(&files.path("world"));
    assert_eq!(run(&["tile", &hills, "--size", "16", "--out", &world]).code, 0);
    let crews: [&[&str]; 2] = [&["--workers", "2"], &["--spawn-local=2"]];
    assert_same(&files, &[&world, "--jump", "0", "--tile-memory", "1"], &crews);
}

/// Processes of one run: their numbers, and arguments of their own.
fn start(processes: &str, common: &[&str], each: &[(&str, &[&str])]) -> Vec<Child> {
    let start = |(number, own): &(&str, &[&str])| {
        let crew = ["--processes", processes, "--process", number];
        let mut command = carom(&[&["explore"], common, own, &crew[..]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    each.iter().map(start).collect()
}

fn ends(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

/// A file of hosts: addresses on this host that are free now.
fn hosts(files: &Files, count: usize) -> String {
    let free: Vec<_> = (0..count).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let lines = free.iter().map(|listener| format!("{}\n", listener.local_addr().unwrap()));
    files.write("hosts", &lines.collect::<String>())
}

/// All processes of a run are refused, and each says the same.
fn assert_all_refused(children: Vec<Child>, expected: &[&str]) {
    for (number, output) in ends(children).into_iter().enumerate() {
        let said = Said::from(output);
        assert_eq!(said.code, 2, "process {number}: {}", said.err);
        for expected in expected {
            assert!(said.err.contains(expected), "process {number}, {expected:?}: {}", said.err);
        }
        assert_eq!(said.out, "");
    }
}

#[test]
fn processes_that_disagree_are_refused_by_name_before_the_flood() {
    let files = Files::new();
    let holed = files.write("porch.obj", HOLED);
    let other = files.write("other.obj", &obj(Terrain::new(8).mesh()));
    let refused = |each: &[(&str, &[&str])], expected: &[&str]| {
        let hosts = hosts(&files, 2);
        assert_all_refused(start("2", &["--hosts", &hosts, "--wait", "20"], each), expected);
    };
    refused(&[("0", &[&holed]), ("1", &[&other])], &["process 1 (127.0.0.1:", "another world"]);
    refused(&[("0", &[&holed]), ("1", &[&holed, "--jump", "3"])], &["process 1 (127.0.0.1:", "other rules"]);
    refused(&[("0", &[&holed]), ("1", &[&holed, "--workers", "2"])], &["process 1 (", "--workers 2"]);
    refused(&[("0", &[&holed]), ("1", &["none.obj"])], &["none.obj"]);
    refused(&[("0", &["none.obj"]), ("1", &[&holed])], &["none.obj"]);
    // A tile that one of them has not as it was cut.
    let world = text_of(&files.path("world"));
    assert_eq!(run(&["tile", &other, "--size", "16", "--out", &world]).code, 0);
    let broken = text_of(&files.path("broken"));
    assert_eq!(run(&["tile", &other, "--size", "16", "--out", &broken]).code, 0);
    let tiles = std::fs::read_dir(Path::new(&broken).join("tiles")).unwrap();
    let tile = tiles.map(|entry| entry.unwrap().path()).min().unwrap();
    let name = tile.file_name().unwrap().to_str().unwrap().to_owned();
    std::fs::remove_file(tile).unwrap();
    refused(&[("0", &[&world]), ("1", &[&broken])], &[&name]);
}

#[test]
fn two_processes_with_one_number_are_refused() {
    let files = Files::new();
    let holed = files.write("porch.obj", HOLED);
    // Ports of their own: they could be on different hosts.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let hosts = files.write("hosts", &format!("{free}\n127.0.0.1:0\n127.0.0.1:0\n"));
    let common = [holed.as_str(), "--hosts", &hosts, "--wait", "20"];
    let children = start("3", &common, &[("0", &[]), ("1", &[]), ("1", &[])]);
    assert_all_refused(children, &["two processes have the number 1", "127.0.0.1"]);
}

#[test]
fn what_does_not_come_or_cannot_be_is_said() {
    let files = Files::new();
    let hosts = hosts(&files, 2);
    let missing = run(&["explore", "--processes", "2", "--process", "0", "--hosts", &hosts, "--wait", "1"]);
    assert!(missing.code == 2 && missing.err.contains("process 1 (127.0.0.1:"), "{}", missing.err);
    assert!(missing.err.contains("has not come within 1 s"), "{}", missing.err);
    let alone = run(&["explore", "--processes", "2", "--process", "1", "--hosts", &hosts, "--wait", "1"]);
    assert!(alone.code == 2 && alone.err.contains("process 0 (127.0.0.1:"), "{}", alone.err);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let bad = [
        (vec!["--processes", "2", "--process", "2", "--hosts", &hosts], "no process 2 of 2"),
        (vec!["--processes", "3", "--process", "0", "--hosts", &hosts], "2 of 3 processes"),
        (vec!["--processes", "2", "--process", "0", "--hosts", &hosts, "--listen", &address], &address),
        (vec!["--process", "0"], "--processes"),
        (vec!["--spawn-local", "0"], "--spawn-local"),
        (vec!["--workers", "0"], "--workers"),
    ];
    for (arguments, expected) in bad {
        let said = run(&[&["explore"], arguments.as_slice()].concat());
        assert!(said.code == 2 && said.err.contains(expected), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn a_killed_process_is_named_and_any_number_of_workers_goes_on() {
    let files = Files::new();
    let hills = files.write("hills.obj", &obj(Terrain::new(64).mesh()));
    let options = [hills.as_str(), "--jump", "0", "--cell", "0.7", "--fail-on", "none"];
    let folder = text_of(&files.path("whole"));
    assert_eq!(run(&[&["explore", "--out", &folder], &options[..]].concat()).code, 0);
    let whole = contents(Path::new(&folder));
    let mut random = Random::scattered(26);
    let rounds = std::env::var("CAROM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    for round in 0..rounds {
        let kept = text_of(&files.path(&format!("kept {round}")));
        let (hosts, kept_there) = (hosts(&files, 3), ["--checkpoint", &kept]);
        let common = [&options[..], &["--hosts", &hosts, "--wait", "20"], &kept_there].concat();
        let mut children = start("3", &common, &[("0", &[]), ("1", &[]), ("2", &[])]);
        std::thread::sleep(Duration::from_millis(500 + random.below(1500) as u64));
        let killed = 1 + random.below(2);
        children[killed].kill().unwrap();
        for (number, output) in ends(children).into_iter().enumerate().filter(|(number, _)| *number != killed)
        {
            let said = String::from_utf8(output.stderr).unwrap();
            // Unless it was too late.
            let is_named = said.contains(&format!("process {killed} ("));
            assert!(output.status.success() || is_named, "process {number} of round {round}: {said}");
        }
        let folder = text_of(&files.path("resumed"));
        let crew = [&["--workers", "3"][..], &[], &["--spawn-local", "2"]][round % 3];
        let resumed = [&["explore", "--out", &folder], &options[..], &kept_there, crew].concat();
        let said = run(&resumed);
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(contents(Path::new(&folder)) == whole, "round {round}");
    }
}
