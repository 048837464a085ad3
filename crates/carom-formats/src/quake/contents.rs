//! The contents of a brush, and whether it stops a mover.

use crate::options::Solids;

/// The contents of a brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    Solid,
    Sky,
    PlayerClip,
    MonsterClip,
    Water,
    Slime,
    Lava,
    Ladder,
    Other,
}

impl Contents {
    /// Whether it stops a mover.
    pub(super) fn is_solid(self, solids: Solids) -> bool {
        match self {
            Self::Solid => true,
            Self::Sky => solids.sky,
            Self::PlayerClip => solids.player_clip,
            Self::MonsterClip => solids.monster_clip,
            Self::Water | Self::Slime | Self::Lava => solids.liquids,
            Self::Ladder | Self::Other => false,
        }
    }

    /// Flags of Quake II (window: glass), whose sky is a flag of the sides.
    pub(super) fn of_quake2(flags: u32, is_sky: bool) -> Self {
        const WINDOW: u32 = 2;
        const LADDER: u32 = 0x2000_0000;
        if flags & LADDER != 0 && flags & (1 | WINDOW | 0x10000) == 0 {
            return Self::Ladder;
        }
        Self::of_quake3(flags & !(WINDOW | LADDER) | u32::from(flags & WINDOW != 0), is_sky)
    }

    /// Flags of Quake III: those of solids, liquids and clips are the same as in Quake II.
    pub(super) fn of_quake3(flags: u32, is_sky: bool) -> Self {
        match flags {
            flags if flags & 1 != 0 && is_sky => Self::Sky,
            flags if flags & 1 != 0 => Self::Solid,
            flags if flags & 0x10000 != 0 => Self::PlayerClip,
            flags if flags & 0x20000 != 0 => Self::MonsterClip,
            flags if flags & 8 != 0 => Self::Lava,
            flags if flags & 16 != 0 => Self::Slime,
            flags if flags & 32 != 0 => Self::Water,
            _ => Self::Other,
        }
    }

    /// By the name of a texture in a .map file, without its shaders: the names that compilers and the common
    /// sets of shaders give a meaning. Anything else is solid.
    pub(super) fn of_texture(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let last = name.rsplit('/').next().unwrap_or(&name);
        match last {
            _ if last.starts_with(['*', '!', '#']) => match &last[1..] {
                liquid if liquid.starts_with("lava") || liquid.contains("lava") => Self::Lava,
                liquid if liquid.contains("slime") => Self::Slime,
                // The swirl in a teleporter is passed through.
                liquid if liquid.contains("tele") || liquid.contains("portal") => Self::Other,
                _ => Self::Water,
            },
            "clip" | "playerclip" | "player_clip" | "full_clip" | "fullclip" | "metalclip" | "slick_clip" => {
                Self::PlayerClip
            }
            "monsterclip" | "monster_clip" | "botclip" | "donotenter" | "donotenterlarge" | "weapclip"
            | "missileclip" => Self::MonsterClip,
            "trigger" | "aaatrigger" | "hint" | "hintskip" | "skip" | "origin" | "areaportal"
            | "antiportal" | "clusterportal" | "nodrop" | "cushion" | "lightgrid" | "local" | "fogvol"
            | "bevelhint" => Self::Other,
            _ if name.starts_with("liquids/") || name.starts_with("liquid/") => match last {
                _ if last.contains("lava") => Self::Lava,
                _ if last.contains("slime") => Self::Slime,
                _ => Self::Water,
            },
            "ladder" => Self::Ladder,
            _ if name.starts_with("skies/") || name.contains("/skies/") || last.starts_with("sky") => {
                Self::Sky
            }
            _ => Self::Solid,
        }
    }
}

/// Whether a surface of this name is never drawn: the names of caulk, clips and the like in the games that
/// descend from Quake. Nobody sees such floor, so nobody is meant to get there to look at it.
pub fn is_never_drawn(surface: &str) -> bool {
    let name = surface.to_ascii_lowercase();
    let last = name.rsplit('/').next().unwrap_or(&name);
    let last = last.strip_prefix("tools").unwrap_or(last);
    matches!(last, "caulk" | "caulksky" | "black_caulk" | "nodraw" | "nodrawnonsolid" | "invisible")
        || matches!(Contents::of_texture(last), Contents::PlayerClip | Contents::MonsterClip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caulk_and_clips_are_never_drawn() {
        for name in ["textures/common/caulk", "func_static#2/COMMON/NoDraw", "clip", "TOOLS/TOOLSPLAYERCLIP"]
        {
            assert!(is_never_drawn(name), "{name}");
        }
        for name in ["textures/base_floor/clang_floor", "paperclip", "wall/caulk_gun_rack", "default", ""] {
            assert!(!is_never_drawn(name), "{name}");
        }
    }

    #[test]
    fn flags_and_names_say_what_a_brush_is() {
        assert_eq!(Contents::of_quake3(1, false), Contents::Solid);
        assert_eq!(Contents::of_quake3(1 | 32, true), Contents::Sky);
        assert_eq!(Contents::of_quake3(0x10000, false), Contents::PlayerClip);
        assert_eq!(Contents::of_quake3(0x8000_0020, false), Contents::Water);
        assert_eq!(Contents::of_quake2(2, false), Contents::Solid);
        assert_eq!(Contents::of_quake2(0x2000_0000, false), Contents::Ladder);
        assert_eq!(Contents::of_quake2(0x2000_0001, false), Contents::Solid);
        for (name, contents) in [
            ("common/caulk", Contents::Solid),
            ("*lava1", Contents::Lava),
            ("*teleport", Contents::Other),
            ("!water", Contents::Water),
            ("textures/common/playerclip", Contents::PlayerClip),
            ("COMMON/Trigger", Contents::Other),
            ("liquids/clear_calm1", Contents::Water),
            ("sky4", Contents::Sky),
            ("textures/skies/earthsky01", Contents::Sky),
            ("wood/hintgrain", Contents::Solid),
        ] {
            assert_eq!(Contents::of_texture(name), contents, "{name}");
        }
    }

    #[test]
    fn the_options_say_what_stops() {
        let usual = Solids::default();
        let stops = |contents: Contents| contents.is_solid(usual);
        assert!(stops(Contents::Solid) && stops(Contents::Sky) && stops(Contents::PlayerClip));
        assert!(!stops(Contents::MonsterClip) && !stops(Contents::Water) && !stops(Contents::Other));
        let all = Solids { sky: true, player_clip: true, monster_clip: true, liquids: true };
        assert!(Contents::Lava.is_solid(all) && Contents::MonsterClip.is_solid(all));
    }
}
