//! The user database of Unix.

use std::path::PathBuf;

/// The folder of the account this process runs as: what `getpwuid` says, whichever service knows the account.
pub(super) fn noted() -> Option<PathBuf> {
    let user = uzers::get_user_by_uid(uzers::get_current_uid())?;
    Some(uzers::os::unix::UserExt::home_dir(&user).to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn it_is_what_the_file_of_accounts_says_where_the_account_is_in_it() {
        let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let user = uzers::get_current_uid().to_string();
        let of_account = |line: &str| {
            let fields: Vec<_> = line.split(':').map(str::to_owned).collect();
            (fields.get(2) == Some(&user)).then(|| fields.get(5).map(PathBuf::from))?
        };
        if let Some(home) = accounts.lines().find_map(of_account) {
            assert_eq!(noted(), Some(home));
        }
    }
}
