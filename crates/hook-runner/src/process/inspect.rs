//! What a start of a hook's program would meet, without starting it.
//!
//! The program is looked up by the very functions that a start uses. Beyond what keeps it from being started, this says
//! what makes it end at once (what `env` or an interpreter is to run is not there), and who could change it.

mod fault;

use std::path::{Path, PathBuf};

pub use self::fault::{FaultKind, ProgramFault};
use super::{
    exposure::{ExposureKind, Writers, exposures, open_to_everybody},
    join,
    look::{Form, Script, line_with_carriage_return, obstacles},
    resolve::resolve,
    start_error::StartError,
    way::leads_through,
};

/// How many times what runs a script may be a script itself; the system follows no more either.
const MAX_SCRIPTS: usize = 4;

/// Interpreters whose first argument, when it is no option, is the file they run.
const INTERPRETERS: [&str; 11] = [
    "sh", "bash", "dash", "ksh", "zsh", "python", "python3", "node", "nodejs", "perl", "ruby",
];

/// Of these, the ones that look along the `PATH` for a file whose name has no slash.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// Of these, the ones that find a file without its ending.
const NODES: [&str; 2] = ["node", "nodejs"];

/// What can be seen of a hook's program without starting it.
///
/// ```
/// use std::path::Path;
///
/// use hook_runner::program::{Environment, Program};
///
/// let environment = Environment::baseline([("PATH", "/bin")]);
/// let inspection = Program::shell("true", Path::new("/"), &environment).inspect();
/// assert_eq!(inspection.program.as_deref(), Some(Path::new("/bin/sh")));
///
/// let inspection = Program::new(["no-such-guard"], Path::new("/"), &environment).inspect();
/// assert_eq!((inspection.program, inspection.faults[0].kind.code()), (None, "program_not_on_path"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Inspection {
    /// The absolute path of the program of the command, whether or not a file is there. Nothing when the command is empty,
    /// holds a NUL byte, or begins with a bare name that the `PATH` does not hold.
    pub program: Option<PathBuf>,
    /// What is wrong, in the order of the words of the command.
    pub faults: Vec<ProgramFault>,
}

impl Inspection {
    /// What is to be said of the line ends of a script that a shell reads, where they are not those of a shell: what its
    /// errors probably come of.
    #[must_use]
    pub fn line_ends(&self) -> Option<String> {
        let mut faults = self.faults.iter().map(|fault| &fault.kind);
        let fault = faults.find(|kind| kind.is_of_line_ends())?;
        Some(fault.to_string())
    }
}

/// Looks at the program of a command.
pub(super) fn inspect(words: &[String], workspace: &Path, search_path: &[PathBuf]) -> Inspection {
    let mut inspector = Inspector {
        words,
        workspace,
        search_path,
        faults: Vec::new(),
    };
    let program = inspector.command();
    inspector.faults.sort_by_key(|fault| fault.word);
    Inspection {
        program,
        faults: inspector.faults,
    }
}

/// Adds which files of a command are reached through the workspace, which the command's owner does not mean to ask.
pub(super) fn supplied_by_workspace(
    inspection: &mut Inspection,
    words: &[String],
    directory: &Path,
    workspace: &Path,
) {
    let program = inspection.program.clone();
    let interpreter = program.as_deref().and_then(|path| match Form::at(path) {
        Some(Form::Script(script)) => Some(join(directory, &script.interpreter)),
        _ => None,
    });
    let of_program = program.into_iter().chain(interpreter);
    let of_program = of_program.map(|path| (0, path));
    let arguments = words.iter().enumerate().skip(1);
    let of_arguments = arguments.flat_map(|(word, text)| {
        // An option may hold its value: `--policy=/repo/policy.json`.
        let value = text.split_once('=').map(|(_, value)| value);
        let paths = [Some(text.as_str()), value].into_iter().flatten();
        paths.map(move |path| (word, join(directory, path)))
    });
    for (word, path) in of_program.chain(of_arguments) {
        let told = inspection
            .faults
            .iter()
            .any(|fault| fault.word == word && matches!(fault.kind, FaultKind::InWorkspace { .. }));
        if !told && leads_through(&path, workspace) {
            let workspace = workspace.to_owned();
            let kind = FaultKind::InWorkspace { path, workspace };
            inspection.faults.push(ProgramFault { word, kind });
        }
    }
    inspection.faults.sort_by_key(|fault| fault.word);
}

struct Inspector<'a> {
    words: &'a [String],
    workspace: &'a Path,
    search_path: &'a [PathBuf],
    faults: Vec<ProgramFault>,
}

/// Whose business a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeper {
    /// Whoever wrote the hooks file: it names the path.
    Author,
    /// Whoever looks after the machine, on which groups of administrators are common: it was found along the `PATH`, or is an
    /// interpreter.
    Machine,
}

impl Inspector<'_> {
    fn fault(&mut self, word: usize, kind: FaultKind) {
        self.faults.push(ProgramFault { word, kind });
    }

    fn command(&mut self) -> Option<PathBuf> {
        let Some(first) = self.words.first() else {
            let what = "the command is empty".to_owned();
            self.fault(0, FaultKind::Start(StartError::Unusable { what }));
            return None;
        };
        if let Some(word) = self.words.iter().position(|word| word.contains('\0')) {
            let what = "a word of the command holds a NUL byte".to_owned();
            self.fault(word, FaultKind::Start(StartError::Unusable { what }));
            return None;
        }
        let program = match resolve(first, self.workspace, self.search_path) {
            Ok(program) => {
                self.named(0, first, &program);
                Some(program)
            }
            Err(error) => {
                self.fault(0, FaultKind::Start(error));
                None
            }
        };
        self.operand(0);
        program
    }

    /// A program, and how it was named.
    fn named(&mut self, word: usize, name: &str, program: &Path) {
        if name.contains('/') {
            self.program(word, program, Keeper::Author, MAX_SCRIPTS);
        } else {
            self.searched_before(word, name, program);
            self.program(word, program, Keeper::Machine, MAX_SCRIPTS);
        }
    }

    /// A file that is to be started, and whatever is started in its place.
    fn program(&mut self, word: usize, program: &Path, keeper: Keeper, scripts: usize) {
        for obstacle in obstacles(program, self.workspace) {
            self.fault(word, FaultKind::Start(obstacle));
        }
        self.exposed(word, program, keeper);
        if let (Some(Form::Script(script)), Some(scripts)) =
            (Form::at(program), scripts.checked_sub(1))
        {
            self.script(word, program, &script, scripts);
        }
    }

    fn script(&mut self, word: usize, path: &Path, script: &Script, scripts: usize) {
        let interpreter = join(self.workspace, &script.interpreter);
        if !interpreter.is_file() {
            // Told as an obstacle.
            return;
        }
        self.exposed(word, &interpreter, Keeper::Machine);
        if script.carriage_return && !script.argument.is_empty() {
            let kind = FaultKind::CarriageReturn {
                path: path.to_owned(),
                interpreter: script.interpreter.clone(),
            };
            self.fault(word, kind);
        }
        let is_env = file_name(&script.interpreter) == "env";
        let read_by = if is_env {
            asked_of_env(&script.argument).unwrap_or_default()
        } else {
            &script.interpreter
        };
        if !script.carriage_return {
            self.line_ends(word, path, read_by);
        }
        if is_env {
            self.run_by_env(word, path, &script.argument, scripts);
        }
    }

    /// The program that a `#!` line with `env` asks for.
    fn run_by_env(&mut self, word: usize, path: &Path, argument: &str, scripts: usize) {
        let Some(name) = asked_of_env(argument) else {
            return;
        };
        match self.along_the_path(name) {
            Some(program) => {
                self.searched_before(word, name, &program);
                self.program(word, &program, Keeper::Machine, scripts);
            }
            None if self.search_path.is_empty() => {}
            None => self.fault(
                word,
                FaultKind::EnvProgram {
                    script: Some(path.to_owned()),
                    name: name.to_owned(),
                    searched: self.search_path.to_vec(),
                },
            ),
        }
    }

    /// What the word after a program is, where its grammar leaves no doubt: the file an interpreter runs, or the
    /// program that `env` starts.
    fn operand(&mut self, word: usize) {
        let words = self.words;
        let Some(program) = words.get(word) else {
            return;
        };
        let interpreter = file_name(program);
        // What stands for itself before the operand: `bash -e guard.sh`, `env -i A=1 guard`.
        let (is_shell, is_env) = (SHELLS.contains(&interpreter), interpreter == "env");
        let after = words.get(word + 1..).unwrap_or_default();
        let skipped = if is_shell {
            options_of_shell(after)
        } else {
            let of_env = |option: &&String| option.as_str() == "-i" || is_assignment(option);
            after
                .iter()
                .take_while(|option| is_env && of_env(option))
                .count()
        };
        let word = word + skipped;
        let Some(operand) = words.get(word + 1) else {
            return;
        };
        if operand.is_empty() || operand.starts_with('-') {
            return;
        }
        if interpreter == "env" {
            if operand.contains('=') {
                return;
            }
            match self.along_the_path(operand) {
                Some(found) => {
                    self.named(word + 1, operand, &found);
                    self.operand(word + 1);
                }
                // What is assigned may be another `PATH`.
                None if self.search_path.is_empty() || skipped > 0 => {}
                None => self.fault(
                    word + 1,
                    FaultKind::EnvProgram {
                        script: None,
                        name: operand.clone(),
                        searched: self.search_path.to_vec(),
                    },
                ),
            }
        } else if is_interpreter(interpreter) {
            self.file_to_run(word + 1, interpreter, operand);
        }
    }

    /// A file that an interpreter is given to run.
    fn file_to_run(&mut self, word: usize, interpreter: &str, name: &str) {
        let here = join(self.workspace, name);
        let mut candidates = vec![here.clone()];
        if SHELLS.contains(&interpreter) && !name.contains('/') {
            candidates.extend(
                self.search_path
                    .iter()
                    .map(|directory| directory.join(name)),
            );
        }
        if NODES.contains(&interpreter) {
            let with = |ending: &str| join(self.workspace, &format!("{name}{ending}"));
            candidates.extend([".js", ".json", ".node"].map(with));
        }
        match candidates.into_iter().find(|path| path.exists()) {
            Some(path) => {
                self.line_ends(word, &path, interpreter);
                self.exposed(word, &path, Keeper::Author);
            }
            None => self.fault(
                word,
                FaultKind::NoScript {
                    interpreter: interpreter.to_owned(),
                    path: here,
                },
            ),
        }
    }

    /// Line ends of a script that a shell takes for a part of the line.
    fn line_ends(&mut self, word: usize, path: &Path, interpreter: &str) {
        if !SHELLS.contains(&file_name(interpreter)) {
            return;
        }
        if let Some(line) = line_with_carriage_return(path) {
            let kind = FaultKind::LineEnds {
                path: path.to_owned(),
                line,
                interpreter: interpreter.to_owned(),
            };
            self.fault(word, kind);
        }
    }

    /// As `env` looks a name up, which is how a start does.
    fn along_the_path(&self, name: &str) -> Option<PathBuf> {
        resolve(name, self.workspace, self.search_path).ok()
    }

    /// Directories in which anybody could put a program of that name first.
    fn searched_before(&mut self, word: usize, name: &str, program: &Path) {
        let search_path = self.search_path;
        let before = search_path
            .iter()
            .take_while(|directory| directory.join(name) != program);
        for exposure in before.filter_map(|directory| open_to_everybody(directory)) {
            self.fault(word, FaultKind::Exposed(exposure));
        }
    }

    fn exposed(&mut self, word: usize, path: &Path, keeper: Keeper) {
        for exposure in exposures(path) {
            let matters = exposure.writers == Writers::Everybody || keeper == Keeper::Author;
            let already = self.faults.iter().any(|fault| {
                matches!(&fault.kind, FaultKind::Exposed(told)
                    if told.path == exposure.path && told.kind != ExposureKind::SearchedBefore)
            });
            if matters && !already {
                self.fault(word, FaultKind::Exposed(exposure));
            }
        }
    }
}

/// The last part of a path, which is how people call a program.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_interpreter(name: &str) -> bool {
    let version = name.strip_prefix("python3.");
    INTERPRETERS.contains(&name)
        || version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a word is `NAME=value`.
fn is_assignment(word: &str) -> bool {
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(in_name))
}

/// Letters of a shell's options that have no word of their own behind them.
const PLAIN_OPTIONS: &str = "abefhilmnuvx";

/// How many words before the script of a shell are its options: `-e`, `-o pipefail`, `--norc`.
fn options_of_shell(words: &[String]) -> usize {
    let mut count = 0;
    while let Some(word) = words.get(count) {
        count += match word.as_str() {
            "-o" | "+o" => 2,
            "--" | "--norc" | "--noprofile" | "--posix" => 1,
            word if is_plain_option(word) => 1,
            _ => break,
        };
    }
    count.min(words.len())
}

/// Whether a word is an option of a shell behind which its script can stand.
fn is_plain_option(word: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    !letters.is_empty() && letters.chars().all(|letter| PLAIN_OPTIONS.contains(letter))
}

/// The program that `env` is asked for in a `#!` line, where that is plain.
///
/// Linux hands over all that follows the interpreter as one word, white space included.
fn asked_of_env(argument: &str) -> Option<&str> {
    let split = argument
        .strip_prefix("-S")
        .or_else(|| argument.strip_prefix("--split-string="));
    let is_one_word = cfg!(target_os = "linux") && split.is_none();
    let word = if is_one_word {
        argument
    } else {
        split.unwrap_or(argument).split_whitespace().next()?
    };
    // Options, assignments and quotes are for `env` to understand.
    let plain =
        !word.is_empty() && !word.starts_with('-') && !word.contains(['=', '"', '\'', '\\', '$']);
    plain.then_some(word)
}

#[cfg(test)]
mod tests;
