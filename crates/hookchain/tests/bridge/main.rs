//! The bridge as agents start it: the real binary, real hooks, real settings files.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod asks;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod others;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod resident;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod trust;
#[cfg(test)]
mod vanished;
