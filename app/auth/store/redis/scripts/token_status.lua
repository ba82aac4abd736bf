#!lua flags=allow-oom
-- Whether an access token is active, and under which version its user was last compared
-- with the database.
--
-- KEYS  1 index of the user's sessions, 2 session hash, 3 lease of the user
-- ARGV  1 session id, 2 token id, 3 now (ms), 4 incarnation of the database, or empty
-- Reply nil: the token is refused
--       { lastActivityAt, version }: the lease is valid
--       { lastActivityAt, false, lease, incarnation, session ids }: the database has to be
--       asked; the ids are those of all sessions in the index
--
-- Atomic: session, revocation and lease are read at one moment, so that a revocation
-- cannot fall between two of the reads.
-- include: incarnation
local session = redis.call('HMGET', KEYS[2], 'expiresAt', 'lastActivityAt', 'revoked:' .. ARGV[2])
if not session[1] or session[3] then return nil end
if tonumber(session[1]) <= tonumber(ARGV[3]) then return nil end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return nil end
local lease = redis.call('GET', KEYS[3]) or ''
local current = incarnation()
local leased = current .. '|' .. ARGV[4] .. '|'
if ARGV[4] ~= '' and string.sub(lease, 1, #leased) == leased then
  return { session[2], string.sub(lease, #leased + 1) }
end
return { session[2], false, lease, current, redis.call('ZRANGE', KEYS[1], 0, -1) }
