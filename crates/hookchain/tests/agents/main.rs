//! Hooks of other agents through the command: real settings files, real hook programs, the real binary.

#[cfg(test)]
mod at_home;
#[cfg(test)]
mod background;
#[cfg(test)]
mod beside;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod check;
#[cfg(test)]
mod consult;
#[cfg(test)]
mod doubts;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod fire;
#[cfg(test)]
mod machine;
#[cfg(test)]
mod notes;
#[cfg(test)]
mod said;
#[cfg(test)]
mod sources;
