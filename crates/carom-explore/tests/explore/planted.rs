//! The defects planted in the courtyard are found, and nothing else; witnesses lead there.

use carom_explore::{Code, Explorer, Rules, Stage};
use carom_scenes::courtyard::courtyard_with_defects;

use crate::replay::replayed;
use crate::{level, said};

#[test]
fn every_planted_defect_is_found_and_nothing_else_is() {
    let broken = courtyard_with_defects();
    let level = level(broken.mesh);
    let rules = Rules::default();
    let mut explorer = Explorer::new(&level, &rules, &broken.spawns).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    for defect in &broken.defects {
        let here = findings.iter().filter(|finding| {
            let away = (finding.position - defect.position).with_y(0.0).length();
            finding.code.name() == defect.code && away <= defect.radius
        });
        assert_eq!(here.count(), 1, "{}:\n{}", defect.what, said(&findings));
    }
    assert_eq!(findings.len(), broken.defects.len(), "{}", said(&findings));
    for finding in &findings {
        let scene = finding.witness.scene(&serde_json::json!({ "name": "level" }), &level, &rules);
        let end = replayed(&level, &scene);
        assert_eq!(end, finding.witness.end, "{:?}", finding.code);
        match finding.code {
            Code::FallOut => assert!(end.y < level.abyss()),
            Code::Stuck | Code::Trap => assert_eq!(end, finding.position),
            _ => assert!((end - finding.position).length() < 2.0, "{:?}", finding.code),
        }
    }
}
