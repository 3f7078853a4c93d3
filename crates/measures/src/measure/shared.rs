//! Shared values, serialized as if they were not shared.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Writes what is shared.
///
/// # Errors
///
/// As the serializer.
pub fn serialize<T: Serialize, S: Serializer>(shared: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    (**shared).serialize(serializer)
}

pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
    T::deserialize(from).map(Arc::new)
}
