//! Levels that the explorer was not made with, built from boxes and quads, with answers that are found by
//! hand.

use carom_explore::{Code, Explorer, Finding, Landmark, Level, Origin, Rules, Stage, Volumes};
use carom_formats::{Convex, Volume, VolumeKind};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, explore, level, said, slab};

/// Walls 3 m high and so thick around a rectangle of x and z, standing on a height.
fn walled(low: [f64; 2], high: [f64; 2], on: f64, thick: f64) -> MeshBuilder {
    let ([a, b], [c, d], top) = (low, high, on + 3.0);
    slab([a - thick, on, b - thick], [a, top, d + thick])
        .and(&slab([c, on, b - thick], [c + thick, top, d + thick]))
        .and(&slab([a, on, b - thick], [c, top, b]))
        .and(&slab([a, on, d], [c, top, d + thick]))
}

/// A floor of 16 × 12 m with its top at a height, walled.
fn hall(on: f64) -> MeshBuilder {
    slab([-0.3, on - 1.0, -0.3], [16.3, on, 12.3]).and(&walled([0.0, 0.0], [16.0, 12.0], on, 0.3))
}

fn codes(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

fn near(finding: &Finding, x: f64, z: f64) -> bool {
    (finding.position - dvec3(x, finding.position.y, z)).length() < 2.0
}

const START: DVec3 = DVec3::new(2.0, 0.95, 2.0);

#[test]
fn walls_as_thick_as_walls_are_leave_nothing_to_say() {
    for thick in [0.1, 0.2, 0.3, 0.5, 0.6] {
        let walls = walled([0.0, 0.0], [16.0, 12.0], 0.0, thick);
        let inner = slab([8.0, 0.0, 0.0], [8.0 + thick, 3.0, 7.0]);
        let floor = slab([-thick, -1.0, -thick], [16.0 + thick, 0.0, 12.0 + thick]);
        let findings = explore(&level(floor.and(&walls).and(&inner).rounded()), &Rules::default(), &[START]);
        assert!(findings.is_empty(), "{thick}: {}", said(&findings));
    }
}

#[test]
fn a_bar_parts_a_room_and_under_water_it_does_not() {
    let rules = Rules { jump: 0.0, ..Rules::default() };
    let closed = hall(0.0).and(&slab([-0.3, 3.0, -0.3], [16.3, 3.3, 12.3]));
    // Over the whole width, just too high for a step.
    let bar = slab([8.0, 0.41, 0.0], [8.1, 0.45, 12.0]);
    let mut level = level(closed.and(&bar).rounded());
    let listed = |level: &Level| {
        let mut findings = explore(level, &rules, &[START]);
        findings.retain(|finding| finding.folded.is_none());
        codes(&findings)
    };
    assert_eq!(listed(&level), [Code::Unreached]);
    // Water beyond the bar.
    let pool = Convex::from_box(dvec3(8.6, 0.0, 0.0), dvec3(16.0, 1.5, 12.0)).unwrap();
    let pool = Volume { name: "pool".to_owned(), kind: VolumeKind::Water, pieces: vec![pool] };
    level.volumes = Volumes::new(vec![pool]);
    assert_eq!(listed(&level), []);
}

#[test]
fn a_room_with_windows_and_no_door_is_listed_and_so_are_no_roofs() {
    // A hut of 4 × 4 m in a yard, each wall with a window of 1.2 m or, in the first, a door.
    let hut = |door: bool| {
        let side = |i: u32| {
            let sill = if door && i == 0 { 0.0 } else { 0.9 };
            let wall = |from: f64, to: f64, low: f64, high: f64| match i {
                0 => slab([6.0 + from, low, 4.0], [6.0 + to, high, 4.2]),
                1 => slab([6.0 + from, low, 7.8], [6.0 + to, high, 8.0]),
                2 => slab([6.0, low, 4.0 + from], [6.2, high, 4.0 + to]),
                _ => slab([9.8, low, 4.0 + from], [10.0, high, 4.0 + to]),
            };
            let posts =
                wall(0.0, 1.4, 0.0, 3.0).and(&wall(2.6, 4.0, 0.0, 3.0)).and(&wall(1.4, 2.6, 2.1, 3.0));
            if sill > 0.0 { posts.and(&wall(1.4, 2.6, 0.0, sill)) } else { posts }
        };
        let roof = slab([6.0, 3.0, 4.0], [10.0, 3.2, 8.0]);
        (0..4).fold(hall(0.0).and(&roof), |level, i| level.and(&side(i))).rounded()
    };
    let listed = |door: bool| {
        let mut findings = explore(&level(hut(door)), &Rules::default(), &[START]);
        findings.retain(Finding::is_listed);
        findings
    };
    let findings = listed(true);
    assert!(findings.is_empty(), "{}", said(&findings));
    let findings = listed(false);
    assert!(codes(&findings) == [Code::Unreached] && near(&findings[0], 8.0, 6.0), "{}", said(&findings));
    assert!(findings[0].position.y < 0.5, "{}", said(&findings));
}

#[test]
fn a_yard_without_a_gate_is_listed_and_what_one_sees_over_or_through_a_house_is_not() {
    // A yard of 6 × 5 m in a hall of 16 × 12 m without a roof.
    let yard = |thick: f64, high: f64, gate: f64| {
        let ([a, b], [c, d]) = ([6.0, 3.5], [12.0, 8.5]);
        let far = d + thick;
        hall(0.0)
            .and(&slab([a - thick, 0.0, b - thick], [a, high, far]))
            .and(&slab([c, 0.0, b - thick], [c + thick, high, far]))
            .and(&slab([a, 0.0, b - thick], [c, high, b]))
            .and(&slab([a, 0.0, d], [c - gate, high, far]))
    };
    let listed = |mesh: MeshBuilder| {
        let mut findings = explore(&level(mesh.rounded()), &Rules::default(), &[START]);
        findings.retain(Finding::is_listed);
        findings
    };
    for thick in [0.1, 0.3, 0.5] {
        for high in [2.0, 3.0] {
            let findings = listed(yard(thick, high, 0.0));
            assert!(
                codes(&findings) == [Code::Unreached] && near(&findings[0], 9.0, 6.0),
                "{}",
                said(&findings)
            );
            assert_eq!(findings[0].cause, Some("a yard behind a thin wall"));
            let findings = listed(yard(thick, high, 1.5));
            assert!(findings.is_empty(), "{thick} {high}: {}", said(&findings));
        }
        // A bed behind a fence.
        let findings = listed(yard(thick, 1.3, 0.0));
        assert!(findings.is_empty(), "{thick}: {}", said(&findings));
    }
    // A light well of a house.
    let findings = listed(yard(1.5, 3.0, 0.0));
    assert!(findings.is_empty(), "{}", said(&findings));
}

#[test]
fn floor_where_nobody_can_stay_is_not_missed() {
    let room = hall(0.0).and(&walled([5.0, 2.0], [8.0, 5.0], 0.0, 0.2));
    let roof = slab([-0.3, 3.0, -0.3], [16.3, 3.3, 12.3]);
    let mut level = level(room.and(&roof).rounded());
    let listed = |level: &Level| {
        let mut findings = explore(level, &Rules::default(), &[START]);
        findings.retain(|finding| finding.folded.is_none());
        findings
    };
    let findings = listed(&level);
    assert_eq!(codes(&findings), [Code::Unreached], "{}", said(&findings));
    let all = Convex::from_box(dvec3(5.0, 0.0, 2.0), dvec3(8.0, 0.1, 5.0)).unwrap();
    let covered = |kind| vec![Volume { name: "all".to_owned(), kind, pieces: vec![all.clone()] }];
    level.volumes = Volumes::new(covered(VolumeKind::Water));
    assert_eq!(listed(&level).len(), 1);
    for kind in
        [VolumeKind::Kill, VolumeKind::Push { velocity: DVec3::Y * 9.0 }, VolumeKind::Teleport { to: START }]
    {
        level.volumes = Volumes::new(covered(kind));
        let findings = listed(&level);
        assert!(findings.is_empty(), "{kind:?}: {}", said(&findings));
    }
}

#[test]
fn a_hole_a_pit_a_ledge_and_a_closed_room_are_one_finding_each() {
    // A floor of quads with gaps, at a height that f32 does not hold.
    let on = 0.1;
    let tile = |x: [f64; 2], z: [f64; 2], y: f64| {
        let at = |x: f64, z: f64| dvec3(x, y, z);
        MeshBuilder::quad([at(x[0], z[0]), at(x[0], z[1]), at(x[1], z[1]), at(x[1], z[0])])
    };
    let mut mesh = walled([0.0, 0.0], [16.0, 12.0], on, 0.2);
    // A hole at (4 … 5.5, 8 … 9.5), a pit 2.5 m deep at (10 … 12, 8 … 10).
    for (x, z) in [
        ([0.0, 16.0], [0.0, 8.0]),
        ([0.0, 4.0], [8.0, 12.0]),
        ([5.5, 10.0], [8.0, 12.0]),
        ([12.0, 16.0], [8.0, 12.0]),
        ([4.0, 5.5], [9.5, 12.0]),
        ([10.0, 12.0], [10.0, 12.0]),
        // Under the walls.
        ([-0.2, 16.2], [-0.2, 0.0]),
        ([-0.2, 16.2], [12.0, 12.2]),
        ([-0.2, 0.0], [0.0, 12.0]),
        ([16.0, 16.2], [0.0, 12.0]),
    ] {
        mesh.append(&tile(x, z, on));
    }
    let pit = slab([10.0, on - 2.5, 8.0], [12.0, on, 10.0]).flipped();
    // Its lid is taken away: four sides and a bottom remain.
    let lid = |corners: [DVec3; 3]| corners.iter().all(|p| p.y > on - 0.01);
    let pit = pit.rounded();
    let mut whole = mesh
        .and(&slab([12.0, on + 2.5, 1.0], [14.5, on + 2.7, 3.0]))
        .and(&walled([5.0, 2.0], [8.0, 5.0], on, 0.2))
        .and(&slab([4.8, on + 3.0, 1.8], [8.2, on + 3.2, 5.2]))
        .rounded();
    let mut open =
        carom_scenes::SceneMesh { vertices: pit.vertices.clone(), ..carom_scenes::SceneMesh::new() };
    let f64s = |i: u32| DVec3::from_array(pit.vertices[i as usize].map(f64::from));
    open.triangles = pit.triangles.iter().copied().filter(|t| !lid(t.map(f64s))).collect();
    whole.append(&open);
    let rules = Rules { min_area: 2.0, ..Rules::default() };
    let findings = explore(&level(whole), &rules, &[dvec3(2.0, on + 0.9, 2.0)]);
    let listed = said(&findings);
    assert_eq!(
        codes(&findings),
        [Code::FallOut, Code::Trap, Code::Unreached, Code::Unreached, Code::Unreached],
        "{listed}"
    );
    assert!(near(&findings[0], 4.75, 8.75) && near(&findings[1], 11.0, 9.0), "{listed}");
    let unreached = |x: f64, z: f64| findings[2..].iter().filter(|finding| near(finding, x, z)).count();
    // The roof of the closed room is floor, too; the ledge is the third.
    assert_eq!((unreached(6.5, 3.5), unreached(13.25, 2.0)), (2, 1), "{listed}");
}

#[test]
fn storeys_joined_by_stairs_are_all_reached_and_joined_by_a_drop_only_are_a_trap() {
    let steps = |count: usize| {
        let step = |i: usize| {
            let (x, top) = (4.0 + 0.4 * i as f64, 0.3 * (i + 1) as f64);
            slab([x, 0.0, 5.0], [x + 0.4, top, 7.0])
        };
        (0..count).fold(MeshBuilder::new(), |stairs, i| stairs.and(&step(i)))
    };
    let upper = slab([8.0, 2.5, 0.0], [16.0, 3.0, 12.0]).and(&walled([0.0, 0.0], [16.0, 12.0], 3.0, 0.3));
    let stairs =
        explore(&level(hall(0.0).and(&upper).and(&steps(10)).rounded()), &Rules::default(), &[START]);
    assert!(stairs.is_empty(), "{}", said(&stairs));
    // Without stairs, from above: down, and never back.
    let high = dvec3(12.0, 3.95, 6.0);
    let drop = explore(&level(hall(0.0).and(&upper).rounded()), &Rules::default(), &[high]);
    assert_eq!(codes(&drop), [Code::Trap], "{}", said(&drop));
    let below = explore(&level(hall(0.0).and(&upper).rounded()), &Rules::default(), &[START]);
    assert_eq!(codes(&below), [Code::Unreached], "{}", said(&below));
    assert!(below[0].area.is_some_and(|area| (80.0..=97.0).contains(&area)), "{:?}", below[0].area);
}

#[test]
fn a_closed_storey_right_below_or_above_is_listed_and_a_lower_one_is_none() {
    // Two storeys, the lower one so high, without a stair between.
    let house = |high: f64| {
        let lower = slab([-0.3, -1.3 - high, -0.3], [16.3, -0.3 - high, 12.3]);
        let walls = |low: f64, top: f64| {
            slab([-0.3, low, -0.3], [0.0, top, 12.3])
                .and(&slab([16.0, low, -0.3], [16.3, top, 12.3]))
                .and(&slab([0.0, low, -0.3], [16.0, top, 0.0]))
                .and(&slab([0.0, low, 12.0], [16.0, top, 12.3]))
        };
        let plate = |low: f64| slab([-0.3, low, -0.3], [16.3, low + 0.3, 12.3]);
        let below = lower.and(&walls(-0.3 - high, -0.3)).and(&plate(-0.3));
        level(below.and(&walls(0.0, 3.0)).and(&plate(3.0)).rounded())
    };
    let listed = |level: &Level, from: DVec3| {
        let mut findings = explore(level, &Rules::default(), &[from]);
        findings.retain(Finding::is_listed);
        findings
    };
    let cause = Some("a closed storey above or below reached floor");
    let below = listed(&house(3.0), START);
    assert_eq!(codes(&below), [Code::Unreached], "{}", said(&below));
    assert!(below[0].cause == cause && near(&below[0], 8.0, 6.0), "{}", said(&below));
    let above = listed(&house(3.0), START - DVec3::Y * 3.3);
    assert_eq!(codes(&above), [Code::Unreached], "{}", said(&above));
    assert!(above[0].cause == cause && above[0].position.y.abs() < 0.1, "{}", said(&above));
    // A crawl space is no storey.
    let below = listed(&house(2.1), START);
    assert!(below.is_empty(), "{}", said(&below));
}

#[test]
fn a_room_of_sheets_with_two_sides_is_listed_and_a_container_of_them_is_none() {
    let mut random = Random::scattered(23);
    // Which side comes first in the file says nothing.
    let mut sheet = |corners: [DVec3; 4]| {
        let (front, back) = (MeshBuilder::quad(corners), MeshBuilder::quad(corners).flipped());
        if random.below(2) == 0 { front.and(&back) } else { back.and(&front) }
    };
    let mut upright = |[x, z]: [f64; 2], [far_x, far_z]: [f64; 2], high: f64| {
        sheet([dvec3(x, 0.0, z), dvec3(x, high, z), dvec3(far_x, high, far_z), dvec3(far_x, 0.0, far_z)])
    };
    let mut around = |[x, z]: [f64; 2], [far_x, far_z]: [f64; 2], high: f64| {
        upright([x, z], [far_x, z], high)
            .and(&upright([far_x, z], [far_x, far_z], high))
            .and(&upright([far_x, far_z], [x, far_z], high))
            .and(&upright([x, far_z], [x, z], high))
    };
    let level_at = |[x, z]: [f64; 2], [far_x, far_z]: [f64; 2], y: f64| {
        let corners = [dvec3(x, y, z), dvec3(x, y, far_z), dvec3(far_x, y, far_z), dvec3(far_x, y, z)];
        MeshBuilder::quad(corners).flipped().and(&MeshBuilder::quad(corners))
    };
    let listed = |mesh: MeshBuilder| {
        let mut findings = explore(&level(mesh.rounded()), &Rules::default(), &[START]);
        findings.retain(Finding::is_listed);
        findings
    };
    for number in 0..cases() {
        let whole = ([0.0, 0.0], [16.0, 12.0]);
        let floor = level_at(whole.0, whole.1, 0.0);
        let walls = around(whole.0, whole.1, 3.0);
        // A room of 6 × 12 m beyond a sheet.
        let room = around([10.0, 0.0], whole.1, 3.0);
        let findings = listed(floor.clone().and(&walls).and(&room).and(&level_at(whole.0, whole.1, 3.0)));
        let is_found = codes(&findings) == [Code::Unreached] && near(&findings[0], 13.0, 6.0);
        assert!(is_found, "{number}: {}", said(&findings));
        // A container of 6 × 3 m, in the open and in a hall.
        let (low, high) = ([6.0, 4.0], [12.0, 7.0]);
        let container = around(low, high, 2.2).and(&level_at(low, high, 2.2));
        let yard = floor.and(&walls).and(&container);
        let findings = listed(yard.clone());
        assert!(findings.is_empty(), "{number}: {}", said(&findings));
        let findings = listed(yard.and(&level_at(whole.0, whole.1, 3.5)));
        assert!(findings.is_empty(), "{number}: {}", said(&findings));
    }
}

#[test]
fn a_solid_among_solids_that_touch_it_is_no_room() {
    // A block of 4 × 4 × 2.4 m on a floor; on its other sides blocks of random size touch it.
    let mut random = Random::scattered(24);
    for number in 0..cases() {
        let mut thick = || random.between(0.15, 0.6);
        let (a, b, c, d) = (thick(), thick(), thick(), thick());
        let level = level(
            hall(0.0)
                .and(&slab([6.0, 0.0, 4.0], [10.0, 2.4, 8.0]))
                .and(&slab([6.0 - a, 0.0, 4.0], [6.0, 2.6, 8.0]))
                .and(&slab([10.0, 0.0, 4.0], [10.0 + b, 2.4, 8.0]))
                .and(&slab([6.0 - a, 0.0, 4.0 - c], [10.0 + b, 3.0, 4.0]))
                .and(&slab([6.0 - a, 0.0, 8.0], [10.0 + b, 2.4, 8.0 + d]))
                .rounded(),
        );
        let mut findings = explore(&level, &Rules::default(), &[START]);
        findings.retain(Finding::is_listed);
        assert!(findings.is_empty(), "{number}: {}", said(&findings));
    }
}

#[test]
fn a_hut_on_open_ground_is_listed_if_its_door_is_too_low_or_too_narrow() {
    let hut = |wide: f64, high: f64| {
        let side = 0.5 * wide;
        slab([-12.0, -1.0, -12.0], [12.0, 0.0, 12.0])
            .and(&slab([-3.0, 3.0, -3.0], [3.0, 3.2, 3.0]))
            .and(&slab([2.8, 0.0, -3.0], [3.0, 3.0, 3.0]))
            .and(&slab([-2.8, 0.0, -3.0], [2.8, 3.0, -2.8]))
            .and(&slab([-2.8, 0.0, 2.8], [2.8, 3.0, 3.0]))
            .and(&slab([-3.0, 0.0, -3.0], [-2.8, 3.0, -side]))
            .and(&slab([-3.0, 0.0, side], [-2.8, 3.0, 3.0]))
            .and(&slab([-3.0, high, -side], [-2.8, 3.0, side]))
    };
    for (wide, high, is_closed) in
        [(1.0, 2.0, false), (0.85, 1.9, false), (1.0, 1.79, true), (0.79, 2.0, true), (1.2, 1.0, true)]
    {
        let level = level(hut(wide, high).rounded());
        let mut findings = explore(&level, &Rules::default(), &[dvec3(8.0, 0.95, 8.0)]);
        findings.retain(Finding::is_listed);
        let wanted: &[Code] = if is_closed { &[Code::Unreached] } else { &[] };
        assert_eq!(codes(&findings), wanted, "{wide} × {high}: {}", said(&findings));
        assert!(findings.iter().all(|finding| near(finding, 0.0, 0.0)), "{}", said(&findings));
    }
}

#[test]
fn a_jump_reaches_what_its_height_and_length_allow() {
    // A block of 0.7 m (a jump at 4 m/s rises 0.81 m), and an island 3 m beyond a chasm.
    let block = |height: f64| hall(0.0).and(&slab([8.0, 0.0, 4.0], [11.0, height, 7.0])).rounded();
    let jumping = Rules::default();
    let walking = Rules { jump: 0.0, ..jumping };
    let found = |height: f64, rules: &Rules| codes(&explore(&level(block(height)), rules, &[START]));
    assert_eq!(found(0.7, &jumping), []);
    assert_eq!(found(0.7, &walking), [Code::Unreached]);
    assert_eq!(found(1.3, &jumping), [Code::Unreached]);
    assert_eq!(found(0.35, &walking), []);
    let chasm =
        slab([0.0, -1.0, 0.0], [6.0, 0.0, 6.0]).and(&slab([9.0, -1.0, 0.0], [15.0, 0.0, 6.0])).rounded();
    // Each island has a rim.
    let rims = [Code::FallOut, Code::FallOut];
    assert_eq!(codes(&explore(&level(chasm.clone()), &jumping, &[START])), rims);
    assert_eq!(codes(&explore(&level(chasm), &walking, &[START])), [Code::FallOut, Code::Unreached]);
}

#[test]
fn the_body_fits_where_it_fits() {
    // A room behind a door of 0.6 m: 0.8 m is too wide, 0.4 m is not. The room is the east of the hall.
    let wall = slab([8.0, 0.0, 0.0], [8.2, 3.0, 5.0]).and(&slab([8.0, 0.0, 5.6], [8.2, 3.0, 12.0]));
    let level = level(hall(0.0).and(&wall).rounded());
    let wide = explore(&level, &Rules::default(), &[START]);
    assert_eq!(codes(&wide), [Code::Unreached], "{}", said(&wide));
    assert!(near(&wide[0], 12.1, 6.0), "{}", said(&wide));
    let thin = Rules { radii: dvec3(0.2, 0.9, 0.2), ..Rules::default() };
    let findings = explore(&level, &thin, &[START]);
    assert!(findings.is_empty(), "{}", said(&findings));
    // Half a body's height under a ceiling of 1.5 m.
    let small = Rules { radii: dvec3(0.3, 0.45, 0.3), cell: Some(0.4), ..Rules::default() };
    let low = hall(0.0).and(&slab([8.0, 1.5, 0.0], [16.0, 3.0, 12.0])).rounded();
    let tall = explore(&crate::level(low.clone()), &Rules::default(), &[START]);
    // Only the top of the low ceiling is floor for the tall; it is not reached.
    assert_eq!(codes(&tall), [Code::Unreached], "{}", said(&tall));
    let findings = explore(&crate::level(low), &small, &[dvec3(2.0, 0.5, 2.0)]);
    assert_eq!(codes(&findings), [Code::Unreached], "{}", said(&findings));
    assert!(findings[0].position.y > 2.9);
}

#[test]
fn below_a_lid_that_a_body_stands_on_there_is_no_floor() {
    // Seen from below only: on top it is no floor, and less than a step above the floor a body fits above it.
    let corner = |x: f64, z: f64| dvec3(x, 0.3, z);
    let lid = MeshBuilder::quad([corner(8.0, 2.0), corner(14.0, 2.0), corner(14.0, 10.0), corner(8.0, 10.0)]);
    let (level, rules) = (level(hall(0.0).and(&lid).rounded()), Rules::default());
    let mut explorer = Explorer::new(&level, &rules, &[START]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    assert!(findings.is_empty(), "{}", said(&findings));
    let cell = rules.cell();
    let at = |column: i32| (f64::from(column) + 0.5) * cell;
    let is_below = |[x, z]: [i32; 2]| (8.5..13.5).contains(&at(x)) && (2.5..9.5).contains(&at(z));
    let below = explorer.floor().iter().filter(|sample| is_below(sample.column)).count();
    let all = explorer.floor().iter().count();
    assert!(below == 0 && all > 300, "{below} of {all} are below the lid");
}

#[test]
fn a_scaled_level_is_the_same_level_for_a_scaled_body() {
    // Twice as large, and everything that has a length or a time with it.
    let chasm = |k: f64| {
        slab([0.0, -k, 0.0], [6.0 * k, 0.0, 6.0 * k])
            .and(&slab([7.5 * k, -3.0 * k, 0.0], [12.0 * k, -2.0 * k, 6.0 * k]))
    };
    let rules = |k: f64| {
        let usual = Rules::default();
        let mut settings = usual.settings;
        settings.step_height *= k;
        settings.gravity *= k;
        Rules { radii: usual.radii * k, speed: 5.0 * k, jump: 4.0 * k, min_area: k * k, settings, ..usual }
    };
    let codes = |k: f64| codes(&explore(&level(chasm(k).rounded()), &rules(k), &[START * k]));
    // Each island has a rim.
    assert_eq!(codes(1.0), [Code::FallOut, Code::FallOut, Code::Trap]);
    assert_eq!(codes(2.0), codes(1.0));
}

#[test]
fn spawns_are_found_where_a_player_would_begin() {
    let spawn_of = |level: &Level| {
        let rules = Rules::default();
        let explorer = Explorer::new(level, &rules, &[]).unwrap();
        explorer.spawns()[0].clone()
    };
    // A closed building: its roof is the largest floor, and no place to begin.
    let closed = hall(0.0).and(&slab([-0.3, 3.0, -0.3], [16.3, 3.3, 12.3]));
    let spawn = spawn_of(&level(closed.clone().rounded()));
    assert!(spawn.position.y < 2.0 && spawn.origin == Origin::Found, "{spawn:?}");
    let named = level(closed.rounded()).with_landmarks(vec![
        Landmark { name: "lamp".to_owned(), position: dvec3(1.0, 2.0, 1.0) },
        Landmark { name: "Player Start".to_owned(), position: dvec3(3.0, 0.0, 4.0) },
    ]);
    let spawn = spawn_of(&named);
    assert_eq!(spawn.origin, Origin::Named("Player Start".to_owned()));
    assert!((spawn.position - dvec3(3.0, 0.9, 4.0)).length() < 0.05, "{spawn:?}");
    // Feet that touch are no overlap, whatever f32 makes of the floor; feet in the floor are.
    for (up, expected) in [(0.9, 0), (0.85, 1), (0.0, 1)] {
        let level = level(hall(0.1).rounded());
        let findings =
            explore(&level, &Rules::default(), &[START + 0.1 * DVec3::Y, dvec3(5.0, 0.1 + up, 5.0)]);
        let overlaps = findings.iter().filter(|finding| finding.code == Code::StartOverlap).count();
        assert_eq!(overlaps, expected, "{up}: {}", said(&findings));
    }
}

#[test]
fn what_a_stop_leaves_unreached_is_no_finding() {
    let level = level(hall(0.0).rounded());
    let rules = Rules { most_places: 50, ..Rules::default() };
    let mut explorer = Explorer::new(&level, &rules, &[START]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    assert_eq!(explorer.advance(), Stage::Full);
    assert!(explorer.finish().is_empty() && !explorer.is_complete());
}
