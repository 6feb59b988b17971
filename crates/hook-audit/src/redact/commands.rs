//! Programs that take a secret where no name says so.

/// A program, and how it takes one.
struct Command {
    programs: &'static [&'static str],
    /// A word that must stand after the program; empty where none must.
    word: &'static str,
    options: &'static [&'static str],
    taken: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// `-p secret`
    Next,
    /// `-psecret`
    Attached,
    /// `-U user%secret`
    Login,
    /// `--from-literal name=secret`
    Assigned,
    /// Any word that looks random.
    Any,
}

impl Command {
    /// The secret in the option itself.
    fn attached(&self, option: &str, is_joined: bool) -> Option<Taken> {
        let is_longer = |name: &&&str| option.len() > name.len() || is_joined && option == **name;
        let is_it = |name: &&&str| option.starts_with(**name) && !option.starts_with("--");
        let name = self
            .options
            .iter()
            .find(|name| is_longer(name) && is_it(name));
        name.map(|name| Taken::Attached(name.len()))
    }
}

const fn row(
    programs: &'static [&'static str],
    word: &'static str,
    options: &'static [&'static str],
    taken: How,
) -> Command {
    Command {
        programs,
        word,
        options,
        taken,
    }
}

const CONTAINERS: &[&str] = &[
    "buildah", "crane", "docker", "helm", "nerdctl", "oc", "oras", "podman", "regctl", "skopeo",
];
const MYSQL: &[&str] = &[
    "mariadb",
    "mariadb-admin",
    "mariadb-dump",
    "mysql",
    "mysqladmin",
    "mysqlbinlog",
    "mysqlcheck",
    "mysqldump",
    "mysqlimport",
    "mysqlsh",
    "mysqlshow",
];
const MONGO: &[&str] = &[
    "mongo",
    "mongodump",
    "mongoexport",
    "mongoimport",
    "mongorestore",
    "mongosh",
];
const LDAP: &[&str] = &[
    "ldapadd",
    "ldapdelete",
    "ldapmodify",
    "ldappasswd",
    "ldapsearch",
    "ldapwhoami",
];
const WINDOWS: &[&str] = &["crackmapexec", "evil-winrm", "netexec", "nxc", "rdesktop"];

const COMMANDS: [Command; 36] = [
    row(&["az"], "login", &["-p"], How::Next),
    row(&["az"], "secret", &["--value"], How::Next),
    row(&["aws"], "SecureString", &["--value"], How::Next),
    row(CONTAINERS, "login", &["-p"], How::Next),
    row(&["sshpass"], "", &["-p"], How::Next),
    row(&["sshpass"], "", &["-p"], How::Attached),
    row(MYSQL, "", &["-p"], How::Attached),
    row(MONGO, "", &["-p"], How::Next),
    row(
        &["redis-cli", "valkey-cli", "keydb-cli"],
        "",
        &["-a"],
        How::Next,
    ),
    row(LDAP, "", &["-w", "-s", "-a"], How::Next),
    row(
        &[
            "zip",
            "unzip",
            "sqlcmd",
            "bcp",
            "ipmitool",
            "mosquitto_pub",
            "mosquitto_sub",
        ],
        "",
        &["-P"],
        How::Next,
    ),
    row(
        &["7z", "7za", "7zz", "rar", "unrar"],
        "",
        &["-p", "-hp"],
        How::Attached,
    ),
    row(&["openssl"], "", &["-k", "-K", "-pass"], How::Next),
    row(
        &["smbclient", "rpcclient", "smbget"],
        "",
        &["-U"],
        How::Login,
    ),
    row(
        &[
            "cqlsh",
            "rabbitmqadmin",
            "influx",
            "couchbase-cli",
            "arangosh",
            "clickhouse",
        ],
        "",
        &["-p"],
        How::Next,
    ),
    row(
        &["snmpget", "snmpset", "snmpwalk"],
        "",
        &["-A", "-X", "-c"],
        How::Next,
    ),
    row(&["http", "https", "xh", "xhs"], "", &["-a"], How::Login),
    row(
        &["http", "https", "xh", "xhs"],
        "bearer",
        &["-a"],
        How::Next,
    ),
    row(&["curl"], "", &["-b"], How::Next),
    row(WINDOWS, "", &["-p"], How::Next),
    row(&["twine"], "upload", &["-p"], How::Next),
    row(
        &["doctl", "fly", "flyctl", "influx", "vercel"],
        "",
        &["-t"],
        How::Next,
    ),
    row(&["gh", "glab"], "secret", &["-b", "--body"], How::Next),
    row(&["security"], "", &["-w"], How::Next),
    row(
        &["kubectl", "k3s", "microk8s", "oc"],
        "secret",
        &["--from-literal"],
        How::Assigned,
    ),
    row(
        &["docker", "podman", "buildah"],
        "build",
        &["--secret"],
        How::Assigned,
    ),
    row(&["useradd", "usermod"], "", &["-p"], How::Next),
    row(
        &["cadaver", "ncftp", "ncftpget", "ncftpput"],
        "",
        &["-p"],
        How::Next,
    ),
    row(&["plink", "pscp", "psftp"], "", &["-pw"], How::Next),
    row(
        &[
            "htpasswd",
            "mosquitto_passwd",
            "wpa_passphrase",
            "smbpasswd",
            "vncpasswd",
        ],
        "",
        &[],
        How::Any,
    ),
    row(&["rabbitmqctl"], "add_user", &[], How::Any),
    row(&["rabbitmqctl"], "change_password", &[], How::Any),
    row(
        &["cargo", "huggingface-cli", "hf", "oc", "vault", "wandb"],
        "login",
        &[],
        How::Any,
    ),
    row(&["bw"], "unlock", &[], How::Any),
    row(&["doppler", "gh", "ngrok", "snyk"], "auth", &[], How::Any),
    row(&["net"], "user", &[], How::Any),
];

/// How a secret is taken by an option that stands here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is the next word.
    Next,
    /// It follows so many bytes of the same word.
    Attached(usize),
    /// It is the password of the next word, a login.
    Login,
    /// It is what the next word assigns to a name.
    Assigned,
}

/// Which rows of the table the words of a command line speak of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    programs: u64,
    whole: u64,
}

impl Seen {
    /// The words of a command line that stand before `at`: as far back as a line of people goes.
    pub(super) fn before(text: &str, at: usize) -> Self {
        let mut seen = Self::default();
        let line = line_before(text, at);
        for word in line.split([' ', '\t', '"', '\'', '(', '`', '=', '\\']) {
            seen.see(word);
        }
        seen
    }

    /// One more word.
    pub(super) fn see(&mut self, word: &str) {
        if word.is_empty() || word.starts_with('-') {
            return;
        }
        let name = word.rsplit('/').next().unwrap_or(word);
        for (index, command) in COMMANDS.iter().enumerate() {
            let bit = 1_u64 << index;
            if self.programs & bit != 0 && command.word == word {
                self.whole |= bit;
            }
            if command.programs.contains(&name) {
                self.programs |= bit;
                self.whole |= bit * u64::from(command.word.is_empty());
            }
        }
    }

    /// Whether any word of the command that looks random is a secret.
    pub(super) fn takes_any(self) -> bool {
        let mut rows = COMMANDS.iter().enumerate();
        rows.any(|(index, command)| command.taken == How::Any && self.whole & (1 << index) != 0)
    }

    /// How that option of the command takes a secret, if it does. `is_joined` when a text in quotes follows at once.
    pub(super) fn taken_by(self, option: &str, is_joined: bool) -> Option<Taken> {
        let rows = COMMANDS.iter().enumerate();
        let mut rows = rows.filter(|(index, _)| self.whole & (1 << index) != 0);
        rows.find_map(|(_, command)| {
            let is_named = command.options.contains(&option);
            match command.taken {
                How::Next => (is_named && !is_joined).then_some(Taken::Next),
                How::Login => is_named.then_some(Taken::Login),
                How::Assigned => is_named.then_some(Taken::Assigned),
                How::Any => None,
                How::Attached => command.attached(option, is_joined),
            }
        })
    }
}

/// How far back the beginning of a command is looked for.
const LONGEST_COMMAND: usize = 400;

/// What stands before `at` in the same command.
pub(super) fn line_before(text: &str, at: usize) -> &str {
    let from = at.saturating_sub(LONGEST_COMMAND);
    let bytes = text.as_bytes().get(from..at).unwrap_or_default();
    let is_end = |byte: &u8| matches!(byte, b'\n' | b';' | b'|' | b'&');
    // A line that goes on after a backslash is one command.
    let mut start = bytes.len();
    while start > 0 {
        let byte = bytes.get(start - 1);
        let goes_on = byte == Some(&b'\n') && start > 1 && bytes.get(start - 2) == Some(&b'\\');
        if byte.is_some_and(is_end) && !goes_on {
            break;
        }
        start -= 1;
    }
    let from = (from + start..=at).find(|from| text.is_char_boundary(*from));
    text.get(from.unwrap_or(at)..at).unwrap_or_default()
}
