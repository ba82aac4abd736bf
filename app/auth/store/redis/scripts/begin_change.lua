#!lua flags=allow-oom
-- Marks the configuration as changing, before a transaction that changes it is committed: no
-- version is leased from now on.
--
-- KEYS  1 lease of the configuration
-- ARGV  1 writer (UUID of the transaction), 2 lifetime (ms)
-- Reply OK
--
-- Atomic: it adds the writer to those who are changing it already.
-- include: open_writers
return beginChange(KEYS[1], ARGV[1], ARGV[2])
