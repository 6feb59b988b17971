//! The command `consult` as scripts and runtimes use it: the real binary, real hooks files, real hooks.

#[cfg(test)]
mod again;
#[cfg(test)]
mod approver;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod each_line;
#[cfg(test)]
mod ending;
#[cfg(test)]
mod human;
#[cfg(test)]
mod on_ask;
#[cfg(test)]
mod origins;
#[cfg(test)]
mod outcomes;
mod seclusion;
#[cfg(test)]
mod table;
#[cfg(test)]
mod trail;
#[cfg(test)]
mod usage;
#[cfg(test)]
mod wire;
#[cfg(test)]
mod workspace;
