//! What a POSIX shell does not have.

/// What a POSIX shell does not have, although other shells do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Odd {
    /// `[[ … ]]`.
    DoubleBracket,
    /// `==` between `[` and `]`.
    DoubleEquals,
    /// `((…))` as a command.
    DoubleParenthesis,
    /// `<<<`.
    HereString,
    /// `<(…)`.
    ProcessSubstitution,
    /// `&>`.
    AmpersandRedirect,
    /// `|&`.
    AmpersandPipe,
    /// `a=(…)`, `${a[0]}`.
    Array,
    /// `${x//a/b}`.
    Replacement,
    /// `${x:0:3}`.
    Substring,
    /// `${x^^}`.
    Case,
    /// `${!x}`.
    Indirection,
    /// `source`.
    Source,
    /// `function`.
    Function,
    /// `set -o pipefail`.
    Pipefail,
    /// Another command of other shells.
    Command(&'static str),
}

/// Commands that other shells run themselves.
const COMMANDS: [&str; 9] = [
    "declare",
    "let",
    "mapfile",
    "popd",
    "pushd",
    "readarray",
    "select",
    "shopt",
    "typeset",
];

impl Odd {
    /// A command by its name.
    pub(super) fn command(name: &str) -> Option<Self> {
        Some(match name {
            "[[" => Self::DoubleBracket,
            "source" => Self::Source,
            "function" => Self::Function,
            name => Self::Command(COMMANDS.iter().find(|command| **command == name)?),
        })
    }

    /// How it is written.
    pub(crate) const fn shown(self) -> &'static str {
        match self {
            Self::DoubleBracket => "[[",
            Self::DoubleEquals => "==",
            Self::DoubleParenthesis => "((",
            Self::HereString => "<<<",
            Self::ProcessSubstitution => "<(",
            Self::AmpersandRedirect => "&>",
            Self::AmpersandPipe => "|&",
            Self::Array => "a=(…)",
            Self::Replacement => "${x/a/b}",
            Self::Substring => "${x:0:3}",
            Self::Case => "${x^^}",
            Self::Indirection => "${!x}",
            Self::Source => "source",
            Self::Function => "function",
            Self::Pipefail => "set -o pipefail",
            Self::Command(name) => name,
        }
    }

    /// What to write in its place.
    pub(crate) const fn instead(self) -> Option<&'static str> {
        Some(match self {
            Self::DoubleBracket => "`case` or `[ … ]`",
            Self::DoubleEquals => "`=`",
            Self::DoubleParenthesis => "`[ $((…)) -ne 0 ]`",
            Self::HereString => "`printf '%s\\n' … |`",
            Self::AmpersandRedirect => "`>file 2>&1`",
            Self::AmpersandPipe => "`2>&1 |`",
            Self::Source => "`. ./file`",
            Self::Function => "`name() { …; }`",
            Self::Replacement | Self::Case => "`sed` or `tr`",
            Self::Substring => "`cut`",
            Self::ProcessSubstitution
            | Self::Array
            | Self::Indirection
            | Self::Pipefail
            | Self::Command(_) => return None,
        })
    }
}
