//! How far a run is, where somebody looks.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error, if that is a terminal; nothing otherwise.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// For so many `things`, such as `cases`.
    pub(crate) fn new(count: usize, things: &str) -> Self {
        let bar = ProgressBar::with_draw_target(
            Some(u64::try_from(count).unwrap_or(u64::MAX)),
            ProgressDrawTarget::stderr(),
        );
        let template = format!("{{elapsed_precise}} [{{bar:30}}] {{pos}} of {{len}} {things}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self(bar)
    }

    /// One more is done.
    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }

    /// Prints something without the bar in between.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
