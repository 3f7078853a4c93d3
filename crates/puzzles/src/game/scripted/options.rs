//! The options of scripted rules, and the limits that no option moves.

use std::collections::BTreeMap;

use plymap_lua::Limits;
use serde::{Deserialize, Serialize};

/// The most entries of a list that a function of a script takes. Unit tests make do with less.
pub(crate) const LONGEST_LIST: u64 = if cfg!(test) { 150_000 } else { 10_000_000 };

/// Remedy where more is to be kept than may be.
pub(super) const MORE_ROOM: &str = "allow more with `max-positions` in [rules], if the memory suffices";

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Options {
    /// The Lua file, from the folder of the study.
    pub script: String,
    /// The most instructions of the Lua machine in one call of a function of the script, counted in thousands.
    pub max_instructions: u64,
    /// The most memory that the script of one level may use, in units of 1,048,576 bytes: what Lua holds, and the
    /// answer of a call while it is read. What plymap keeps of the states it has met is not in it.
    pub max_memory_mb: usize,
    /// The most states of one level that are kept, and the most wished moves.
    pub max_positions: usize,
    /// Settings that hold for all levels, unless a level says otherwise: name -> value.
    pub settings: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            script: String::new(),
            max_instructions: Limits::default().max_instructions,
            max_memory_mb: Limits::default().max_memory_mb,
            max_positions: 20_000_000,
            settings: BTreeMap::new(),
        }
    }
}

impl Options {
    /// The limits of each script.
    pub fn limits(&self) -> Limits {
        let (max_instructions, max_memory_mb) = (self.max_instructions, self.max_memory_mb);
        Limits { max_instructions, max_memory_mb, longest_list: LONGEST_LIST }
    }

    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        if self.script.trim().is_empty() {
            return Err("`script` is missing: name the Lua file, as in script = \"jugs.lua\"".to_owned());
        }
        check_limit("max-instructions", self.max_instructions, 1000)?;
        check_limit("max-memory-mb", self.max_memory_mb as u64, 1)?;
        check_limit("max-positions", self.max_positions as u64, 1)
    }
}

fn check_limit(name: &str, value: u64, least: u64) -> Result<(), String> {
    if value >= least { Ok(()) } else { Err(format!("`{name}` is {value}, and has to be {least} or more")) }
}
