//! The shell that the system has noted for the user.

use std::{fs, path::PathBuf};

/// Where the system notes it.
const ACCOUNTS: &str = "/etc/passwd";

/// The shell of the account this process runs as; nothing where none is noted, or none that takes `-c`.
///
/// Accounts that another service than the file knows have none here, and so have those of macOS.
pub(crate) fn user_shell() -> Option<PathBuf> {
    let accounts = fs::read_to_string(ACCOUNTS).ok()?;
    let user = rustix::process::getuid().as_raw().to_string();
    noted(&accounts, &user).filter(|shell| shell.is_file())
}

fn noted(accounts: &str, user: &str) -> Option<PathBuf> {
    /// Shells for which `-c` means what it means for `sh`.
    const KNOWN: [&str; 8] = ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish"];
    let fields = |line: &'_ str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = accounts.lines().map(fields);
    let account = lines.find(|fields| fields.get(2).is_some_and(|id| id == user))?;
    let shell = PathBuf::from(account.get(6)?);
    let is_known = |name: &std::ffi::OsStr| KNOWN.iter().any(|known| name == *known);
    let usable = shell.is_absolute() && shell.file_name().is_some_and(is_known);
    usable.then_some(shell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_shell_that_takes_a_command_is_one() {
        let accounts = "root:x:0:0:root:/root:/bin/bash\n\
                        daemon:x:1:1::/:/usr/sbin/nologin\n\
                        odd:x:2:2::/:bash\n\
                        short:x:3\n\
                        ada:x:1000:1000:Ada,,:/home/ada:/usr/bin/zsh\n";
        let shell = |user| noted(accounts, user);
        assert_eq!(shell("0"), Some("/bin/bash".into()));
        assert_eq!(shell("1000"), Some("/usr/bin/zsh".into()));
        for none in ["1", "2", "3", "4", "100"] {
            assert_eq!(shell(none), None, "{none}");
        }
    }
}
