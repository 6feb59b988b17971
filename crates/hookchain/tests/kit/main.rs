//! The authors' kit as authors use it: the real binary, real files, real hooks.

#[cfg(test)]
mod copies;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod ending;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod frictions;
#[cfg(test)]
mod init;
#[cfg(test)]
mod manual;
#[cfg(test)]
mod odd;
#[cfg(test)]
mod running;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod usage;
