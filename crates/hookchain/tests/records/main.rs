//! Records as people and scripts use them: `consult --record`, then `log`, `stats` and `replay`; the real binary and real
//! hooks.

#[cfg(test)]
mod asks;
#[cfg(test)]
mod declared;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod html;
#[cfg(test)]
mod log;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod several;
#[cfg(test)]
mod stats;
#[cfg(test)]
mod verify;
