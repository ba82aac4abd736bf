#!lua flags=allow-oom
-- Whether an access token is active, and under which versions its user and the configuration
-- were last compared with the database.
--
-- KEYS  1 index of the user's sessions, 2 session hash, 3 lease of the user, 4 lease of the
--       configuration
-- ARGV  1 session id, 2 token id, 3 now (ms), 4 incarnation of the database, or empty
-- Reply { configuration, its lease, incarnation, … }: the version of the configuration, or false
--       if the database has to be asked for it; then of the token
--       nothing: it is refused
--       lastActivityAt, version: the lease of the user is valid
--       lastActivityAt, false, lease, session ids: the database has to be asked; the ids are
--       those of all sessions in the index
--
-- Atomic: session, revocation and leases are read at one moment, so that a revocation
-- cannot fall between two of the reads.
-- include: incarnation
-- include: leased
local current = incarnation()
local configuration = redis.call('GET', KEYS[4]) or ''
local reply = { leased(configuration, current, ARGV[4]), configuration, current }
local session = redis.call('HMGET', KEYS[2], 'expiresAt', 'lastActivityAt', 'revoked:' .. ARGV[2])
if not session[1] or session[3] then return reply end
if tonumber(session[1]) <= tonumber(ARGV[3]) then return reply end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return reply end
local lease = redis.call('GET', KEYS[3]) or ''
reply[4], reply[5] = session[2], leased(lease, current, ARGV[4])
if not reply[5] then reply[6], reply[7] = lease, redis.call('ZRANGE', KEYS[1], 0, -1) end
return reply
