//! The programs, and how each takes a secret.

/// A program, and how it takes one.
pub(super) struct Command {
    pub(super) programs: &'static [&'static str],
    /// A word that must stand after the program; empty where none must.
    pub(super) word: &'static str,
    pub(super) options: &'static [&'static str],
    pub(super) taken: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
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
    /// `-sSu user:secret`, where short options stand together.
    Clustered,
    /// `user/secret@host`, without an option.
    Slashed,
    /// `name=secret`, without an option.
    Set,
    /// `--value secret`, if it looks random or a word of the command says that it is one.
    Stored,
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

const REDIS: &[&str] = &["keydb-cli", "redis-cli", "valkey-cli"];
const ORACLE: &[&str] = &[
    "exp", "expdp", "imp", "impdp", "rman", "sql", "sqlldr", "sqlplus",
];
const RDP: &[&str] = &[
    "sdl-freerdp",
    "wlfreerdp",
    "wlfreerdp3",
    "xfreerdp",
    "xfreerdp3",
];

/// Each has a bit of a number of 64.
pub(super) const COMMANDS: [Command; 53] = [
    row(&["az"], "login", &["-p"], How::Next),
    row(&["az"], "secret", &["--value"], How::Next),
    row(&["aws"], "SecureString", &["--value"], How::Next),
    row(CONTAINERS, "login", &["-p"], How::Next),
    row(&["sshpass"], "", &["-p"], How::Next),
    row(&["sshpass"], "", &["-p"], How::Attached),
    row(MYSQL, "", &["-p"], How::Attached),
    row(MONGO, "", &["-p"], How::Next),
    row(REDIS, "", &["-a"], How::Next),
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
    row(&["curl"], "", &["-u", "-U"], How::Clustered),
    row(REDIS, "AUTH", &[], How::Any),
    row(REDIS, "auth", &[], How::Any),
    row(REDIS, "requirepass", &[], How::Any),
    row(REDIS, "masterauth", &[], How::Any),
    row(&["ssh-keygen"], "", &["-N", "-P"], How::Next),
    row(ORACLE, "", &[], How::Slashed),
    row(&["mc", "mcli"], "alias", &[], How::Any),
    row(&["vault", "bao"], "put", &[], How::Set),
    row(&["vault", "bao"], "patch", &[], How::Set),
    row(&["vault", "bao"], "write", &[], How::Set),
    row(&["fly", "flyctl", "supabase"], "secrets", &[], How::Set),
    row(&["dotnet", "nuget", "gem"], "push", &["-k"], How::Next),
    row(RDP, "", &["/p:", "/gp:", "/pth:"], How::Attached),
    row(&["poetry"], "config", &[], How::Any),
    row(&["ansible-vault"], "encrypt_string", &[], How::Any),
    row(&["aws"], "put-parameter", &["--value"], How::Stored),
];
