/*
 | The steps of the Redis driver, each atomic on the one slot that its keys share. A script
 | that ends, refuses or reads runs even while Redis is out of memory (`allow-oom`), and
 | none runs on a replica: a server that was demoted must not answer as if it still led.
 |
 | A session is alive while both its hash and its place in the user's index exist. Either
 | may be evicted; then the session is gone, and nothing that was refused comes back.
 */

const LIVING = '#!lua flags=allow-oom\n'

/**
 * Names the server and the history of its data: another run, or a replica that took
 * over, has another one.
 */
const INCARNATION = `
local function incarnation()
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
  return run .. '.' .. history
end
`

const ALIVE = `
local function alive()
  return redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('EXISTS', KEYS[2]) == 1
end
`

/**
 * Keys: hash, index, marker. Arguments: session, token, now.
 * Nothing for a token that is refused; else the last activity and either the version of
 * the user or, after \`false\`, what is needed to ask the database.
 */
const tokenStatus = `${LIVING}${INCARNATION}
local session = redis.call('HMGET', KEYS[1], 'expiresAt', 'lastActivityAt', 'denied:' .. ARGV[2])
if not session[1] or session[3] then return nil end
if tonumber(session[1]) <= tonumber(ARGV[3]) then return nil end
if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then return nil end
local marker = redis.call('GET', KEYS[3]) or ''
local now = incarnation()
if string.sub(marker, 1, #now + 1) == now .. '|' then
  return { session[2], string.sub(marker, #now + 2) }
end
return { session[2], false, marker, now, redis.call('ZRANGE', KEYS[2], 0, -1) }
`

/**
 * Keys: marker. Arguments: what it held when the database was asked, the incarnation
 * of that moment, version, lifetime. Changes nothing if any of it is different now.
 */
const renewal = `${LIVING}${INCARNATION}
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] or string.sub(ARGV[1], 1, 1) == '!' then return 0 end
if incarnation() ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3], 'PX', ARGV[4])
return 1
`

/** Keys: marker. Arguments: the writer, lifetime. Nobody vouches from now on. */
const announce = `${LIVING}
return redis.call('SET', KEYS[1], '!' .. ARGV[1], 'PX', ARGV[2])
`

/** Keys: marker. Arguments: the writer, lifetime. Another writer's announcement stands. */
const settle = `${LIVING}
local marker = redis.call('GET', KEYS[1]) or ''
if string.sub(marker, 1, 1) == '!' and marker ~= '!' .. ARGV[1] then return 0 end
redis.call('SET', KEYS[1], '?' .. ARGV[1], 'PX', ARGV[2])
return 1
`

/**
 * Keys: index, hash. Arguments: session, prefix of the hashes, device, limit, start, end,
 * fields. The sessions that it ended: each with the time at which it would have.
 */
const startSession = `#!lua
local ended = {}
local function finish(id)
  local expires = redis.call('HGET', ARGV[2] .. id, 'expiresAt')
  redis.call('ZREM', KEYS[1], id)
  redis.call('DEL', ARGV[2] .. id)
  if expires then ended[#ended + 1] = id; ended[#ended + 1] = expires end
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local device = redis.call('HGET', ARGV[2] .. id, 'deviceId')
  if not device or (device == ARGV[3] and device ~= 'default') then finish(id) end
end
redis.call('HSET', KEYS[2], unpack(ARGV, 7))
redis.call('PEXPIREAT', KEYS[2], ARGV[6])
redis.call('ZADD', KEYS[1], ARGV[5], ARGV[1])
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[6]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[6])
end
local surplus = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if surplus > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, surplus - 1)) do finish(id) end
end
return ended
`

/** Keys: index, hash. Arguments: session. The fields of a session that is alive. */
const findSession = `${LIVING}${ALIVE}
if not alive() then return {} end
return redis.call('HGETALL', KEYS[2])
`

/** Keys: index. Arguments: prefix of the hashes. The fields of each session. */
const listSessions = `${LIVING}
local sessions = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  sessions[#sessions + 1] = redis.call('HGETALL', ARGV[1] .. id)
end
return sessions
`

/** Keys: index, hash. Arguments: session, time. */
const touchSession = `#!lua${ALIVE}
if not alive() then return 0 end
if tonumber(redis.call('HGET', KEYS[2], 'lastActivityAt')) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[2], 'lastActivityAt', ARGV[2])
return 1
`

/** Keys: index, hash. Arguments: session, current hash, next hash, time. */
const rotateRefresh = `#!lua${ALIVE}
if not alive() or redis.call('HGET', KEYS[2], 'refreshHash') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'refreshHash', ARGV[3], 'previousRefreshHash', ARGV[2], 'rotatedAt', ARGV[4])
return 1
`

/** Keys: index, hash. Arguments: session. When it would have ended, or nothing. */
const endSession = `${LIVING}${ALIVE}
local expires = alive() and redis.call('HGET', KEYS[2], 'expiresAt')
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return expires
`

/** Keys: index. Arguments: prefix of the hashes, the session that goes on. As startSession. */
const endSessions = `${LIVING}
local ended = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if id ~= ARGV[2] then
    local expires = redis.call('HGET', ARGV[1] .. id, 'expiresAt')
    redis.call('ZREM', KEYS[1], id)
    redis.call('DEL', ARGV[1] .. id)
    if expires then ended[#ended + 1] = id; ended[#ended + 1] = expires end
  end
end
return ended
`

/** Keys: index, hash. Arguments: session, token, end of the token, now. Lapsed denials go. */
const denyToken = `${LIVING}${ALIVE}
if not alive() then return 0 end
local fields = redis.call('HGETALL', KEYS[2])
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 7) == 'denied:' and tonumber(fields[at + 1]) <= tonumber(ARGV[4]) then
    redis.call('HDEL', KEYS[2], fields[at])
  end
end
redis.call('HSET', KEYS[2], 'denied:' .. ARGV[2], ARGV[3])
return 1
`

/** Keys: index. Arguments: prefix of the hashes, now. How many expired sessions went. */
const tidySessions = `${LIVING}
local removed = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local expires = redis.call('HGET', ARGV[1] .. id, 'expiresAt')
  if not expires or tonumber(expires) <= tonumber(ARGV[2]) then
    redis.call('ZREM', KEYS[1], id)
    redis.call('DEL', ARGV[1] .. id)
    removed = removed + 1
  end
end
return removed
`

/** Keys: attempts. Arguments: threshold, window, now. The outcome and its number. */
const reserveAttempt = `#!lua
local now = tonumber(ARGV[3])
local row = redis.call('HMGET', KEYS[1], 'attempts', 'expiresAt', 'lockedUntil')
if row[3] and tonumber(row[3]) > now then return { 'locked', row[3] } end
if row[3] or not row[1] or tonumber(row[2]) <= now then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'attempts', 1, 'expiresAt', now + ARGV[2])
  redis.call('PEXPIREAT', KEYS[1], now + ARGV[2])
  return { 'reserved', '1' }
end
if tonumber(row[1]) >= tonumber(ARGV[1]) then return { 'exhausted', row[2] } end
return { 'reserved', tostring(redis.call('HINCRBY', KEYS[1], 'attempts', 1)) }
`

/** Keys: attempts. */
const returnAttempt = `${LIVING}
local row = redis.call('HMGET', KEYS[1], 'attempts', 'lockedUntil')
if row[2] or not row[1] or tonumber(row[1]) < 1 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'attempts', -1)
`

/** Keys: attempts. Arguments: end of the lock, now. */
const lockAttempts = `${LIVING}
local locked = redis.call('HGET', KEYS[1], 'lockedUntil')
if locked and tonumber(locked) > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'attempts', 0, 'expiresAt', ARGV[1], 'lockedUntil', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return 1
`

/** Every script under the name by which the connection calls it, with the number of its keys. */
export const scripts = {
  gatehouseStanding: { lua: tokenStatus, numberOfKeys: 3 },
  gatehouseVouch: { lua: renewal, numberOfKeys: 1 },
  gatehouseAnnounce: { lua: announce, numberOfKeys: 1 },
  gatehouseSettle: { lua: settle, numberOfKeys: 1 },
  gatehouseStart: { lua: startSession, numberOfKeys: 2 },
  gatehouseFind: { lua: findSession, numberOfKeys: 2 },
  gatehouseList: { lua: listSessions, numberOfKeys: 1 },
  gatehouseTouch: { lua: touchSession, numberOfKeys: 2 },
  gatehouseRotate: { lua: rotateRefresh, numberOfKeys: 2 },
  gatehouseEnd: { lua: endSession, numberOfKeys: 2 },
  gatehouseEndAll: { lua: endSessions, numberOfKeys: 1 },
  gatehouseDeny: { lua: denyToken, numberOfKeys: 2 },
  gatehouseTidy: { lua: tidySessions, numberOfKeys: 1 },
  gatehouseReserve: { lua: reserveAttempt, numberOfKeys: 1 },
  gatehouseReturn: { lua: returnAttempt, numberOfKeys: 1 },
  gatehouseLock: { lua: lockAttempts, numberOfKeys: 1 },
}

export type ScriptName = keyof typeof scripts
