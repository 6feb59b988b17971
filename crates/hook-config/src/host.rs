//! What a host adds to what an entry may say.

use hook_contract::{COMMAND_KEY, ToolKnowledge};

/// What a host can do with an entry beyond starting its program: its own transports, and what it knows of its tools.
///
/// A host without a transport or without this knowledge refuses the entries that need it. The default is a host that starts
/// programs and knows nothing of its tools.
///
/// ```
/// use hook_config::{HostSupport, HooksFile};
/// use hook_contract::{Kind, Kinds, ToolKnowledge};
///
/// struct Tools;
///
/// impl ToolKnowledge for Tools {
///     fn kinds(&self, tool_name: &str) -> Kinds {
///         let kind = if tool_name == "run" { Kind::Shell } else { Kind::Other };
///         [kind].into_iter().collect()
///     }
/// }
///
/// let text = r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["./guard.sh"], "kinds": ["shell"]}]}"#;
/// let file = HooksFile::parse_for(text, &HostSupport::new().with_tools(&Tools))?;
/// assert_eq!(file.hooks[0].kinds.as_deref(), Some(&[Kind::Shell][..]));
///
/// let error = HooksFile::parse(text).unwrap_err();
/// assert_eq!(error.problems[0].code, "needs_tool_knowledge");
/// # Ok::<(), hook_config::InvalidFile>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostSupport {
    transport_keys: Vec<String>,
    knows_kinds: bool,
    knows_facts: bool,
}

impl HostSupport {
    /// A host that starts programs and knows nothing of its tools.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            transport_keys: Vec::new(),
            knows_kinds: false,
            knows_facts: false,
        }
    }

    /// Adds a transport of the host: an entry may have this key in place of `command`.
    ///
    /// A key that is a field of every entry, such as `tools`, stays that field.
    #[must_use]
    pub fn with_transport_key(mut self, key: impl Into<String>) -> Self {
        let key = key.into();
        // `command` is there anyway.
        if key != COMMAND_KEY && !self.transport_keys.contains(&key) {
            self.transport_keys.push(key);
        }
        self
    }

    /// Adds what the host knows of its tools: an entry may have `kinds`, and `facts` where the knowledge has facts.
    #[must_use]
    pub fn with_tools(self, tools: &dyn ToolKnowledge) -> Self {
        Self {
            knows_kinds: true,
            knows_facts: tools.knows_facts(),
            ..self
        }
    }

    /// The keys of transports beside `command`, in the order in which they were named.
    #[must_use]
    pub fn transport_keys(&self) -> &[String] {
        &self.transport_keys
    }

    /// Whether the host knows the kinds of its tools.
    #[must_use]
    pub const fn knows_kinds(&self) -> bool {
        self.knows_kinds
    }

    /// Whether the host knows facts about calls.
    #[must_use]
    pub const fn knows_facts(&self) -> bool {
        self.knows_facts
    }
}
