-- incarnation(): names this run of this Redis server and the history of its data.
-- Both ids are needed: `run_id` changes when a server restarts, which may bring back an
-- older snapshot, and `master_replid` changes when a replica is promoted, which may lack
-- the last writes of the master before it.
local function incarnation()
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
  return run .. '.' .. history
end
