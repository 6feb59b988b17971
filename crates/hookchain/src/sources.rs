//! Whose hooks files are read, and which of them.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use hook_config::HooksConfig;
use hook_dialect::{Dialect, config::DialectConfig};

/// Whose hooks files are loaded, and which of them.
#[derive(Debug, Args)]
pub(crate) struct SourcesArgs {
    /// Whose hooks files are loaded, separated by commas: `native`, `claude`, `codex`
    ///
    /// `claude` and `codex` are the hooks in the settings of Claude Code and Codex, found where those find them
    /// (`$CLAUDE_CONFIG_DIR` and `$CODEX_HOME` count). Native hooks are asked first, then those of the agents in the order given.
    #[arg(
        long = "hooks",
        value_name = "KINDS",
        value_delimiter = ',',
        default_value = "native",
        value_parser = HooksKind::parser()
    )]
    pub(crate) kinds: Vec<HooksKind>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Which files are read, and how.
#[derive(Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Read the workspace's own files alone, none of the user's, the organisation's or the machine's
    ///
    /// Codex keeps what is trusted in the user's folder, so none of its hooks is asked then.
    #[arg(long)]
    pub(crate) workspace_only: bool,
    /// Do as the agents do to the letter, also where that lets a call pass that a guard meant to stop
    #[arg(long)]
    pub(crate) as_at_home: bool,
}

/// Whose hooks files.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HooksKind {
    /// `.basis/hooks.json`, and the operator's own.
    Native,
    /// The settings of another agent.
    Agent(&'static Dialect),
}

impl HooksKind {
    /// Reads a kind; the words that there are can be offered.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let agents = Dialect::ALL.map(|dialect| dialect.name);
        PossibleValuesParser::new(std::iter::once("native").chain(agents))
            .map(|word| Dialect::named(&word).map_or(Self::Native, Self::Agent))
    }
}

impl SourcesArgs {
    /// Where native hooks files are, if those are wanted.
    pub(crate) fn native(&self) -> Option<HooksConfig> {
        let is_native = |kind: &HooksKind| matches!(kind, HooksKind::Native);
        let config = self
            .kinds
            .iter()
            .any(is_native)
            .then(HooksConfig::default)?;
        Some(if self.reading.workspace_only {
            config.without_global_dir()
        } else {
            config
        })
    }

    /// The agents whose hooks are wanted, in order, each once.
    pub(crate) fn agents(&self) -> Vec<&'static Dialect> {
        let mut agents: Vec<&'static Dialect> = Vec::new();
        for kind in &self.kinds {
            if let HooksKind::Agent(dialect) = kind
                && !agents.iter().any(|agent| agent.name == dialect.name)
            {
                agents.push(dialect);
            }
        }
        agents
    }
}

impl ReadingArgs {
    /// Where the settings of an agent are.
    pub(crate) fn settings_of(&self, agent: &'static Dialect) -> DialectConfig {
        let everywhere = DialectConfig::default();
        let config = if self.workspace_only {
            let config = DialectConfig::new();
            match everywhere.home() {
                // `~` in a rule is the user's folder wherever the rule stands.
                Some(home) => config.with_home(home),
                None => config,
            }
        } else {
            everywhere
        };
        config.with_dialects([agent]).with_strict(self.as_at_home)
    }
}
