//! The exports there are now.
use super::bounds::{EXPORTS, LAST_CALLS};
use super::descriptors::Descriptors;
use super::export::{Export, Order};
use super::handle::ExportId;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Exports {
    by_id: RwLock<HashMap<ExportId, Arc<Export>>>,
    pub descriptors: Descriptors,
}

impl Exports {
    /// Replaces one of the same name.
    pub fn add(&self, order: Order) -> Result<(), String> {
        self.insert(Export::open(order)?)
    }

    pub fn insert(&self, export: Export) -> Result<(), String> {
        self.descriptors.close_all_of(export.id);
        let mut by_id = self.by_id.write().unwrap_or_else(PoisonError::into_inner);
        if by_id.len() >= EXPORTS && !by_id.contains_key(&export.id) {
            return Err(format!("there are {EXPORTS} exports already"));
        }
        by_id.insert(export.id, Arc::new(export));
        Ok(())
    }

    pub fn find(&self, id: ExportId) -> Option<Arc<Export>> {
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        by_id.get(&id).cloned()
    }

    pub fn named(&self, name: &str) -> Option<Arc<Export>> {
        self.find(ExportId::of(name))
            .filter(|export| export.name == name)
    }

    /// When it returns, nothing of the export is open any more and its disk can be unmounted.
    pub fn remove(&self, name: &str) -> Result<(), String> {
        let id = ExportId::of(name);
        let removed = {
            let mut by_id = self.by_id.write().unwrap_or_else(PoisonError::into_inner);
            by_id.remove(&id)
        };
        let Some(export) = removed else {
            return Ok(());
        };
        let began = Instant::now();
        while Arc::strong_count(&export) > 1 {
            if began.elapsed() > LAST_CALLS {
                return Err(format!("calls to {name} are still under way"));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // After the last call: it may have opened one more file.
        self.descriptors.close_all_of(id);
        Ok(())
    }

    pub fn list(&self) -> Vec<Arc<Export>> {
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        by_id.values().cloned().collect()
    }
}
