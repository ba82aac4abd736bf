#!lua flags=allow-oom
-- Under which version clients, keys and the like were last compared with the database.
--
-- KEYS  1 lease of the configuration
-- ARGV  1 incarnation of the database, or empty
-- Reply { version, lease, incarnation }; without a version the database has to be asked
--
-- Atomic: the lease and the incarnation of Redis are read at one moment.
-- include: incarnation
-- include: leased
local lease, current = redis.call('GET', KEYS[1]) or '', incarnation()
return { leased(lease, current, ARGV[1]), lease, current }
