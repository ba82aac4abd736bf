import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The shebang of a script makes Redis refuse it on a replica: a demoted primary must not answer.
// Scripts with `allow-oom` read, end or revoke, and run while Redis is out of memory.

interface Script {
  lua: string
  numberOfKeys: number
}

const folder = join(import.meta.dirname, 'scripts')

/** @throws ENOENT if the build lacks the file, or a file that it includes */
function readScript(name: string, numberOfKeys: number): Script {
  const source = readFileSync(join(folder, `${name}.lua`), 'utf8')
  return { lua: source.replaceAll(/^-- include: (\w+)$/gm, readShared), numberOfKeys }
}

function readShared(_line: string, name: string) {
  return readFileSync(join(folder, 'shared', `${name}.lua`), 'utf8')
}

export const scripts = {
  gatehouseTokenStatus: readScript('token_status', 4),
  gatehouseReadConfiguration: readScript('read_configuration', 1),
  gatehouseRenewLease: readScript('renew_lease', 1),
  gatehouseBeginChange: readScript('begin_change', 1),
  gatehouseBeginUserChange: readScript('begin_user_change', 2),
  gatehouseEndChange: readScript('end_change', 1),
  gatehouseStartSession: readScript('start_session', 2),
  gatehouseFindSession: readScript('find_session', 2),
  gatehouseListSessions: readScript('list_sessions', 1),
  gatehouseTouchSession: readScript('touch_session', 2),
  gatehouseReauthenticateSession: readScript('reauthenticate_session', 2),
  gatehouseRotateRefresh: readScript('rotate_refresh', 2),
  gatehouseEndSessions: readScript('end_sessions', 1),
  gatehouseRevokeToken: readScript('revoke_token', 2),
  gatehousePruneSessions: readScript('prune_sessions', 1),
  gatehouseReserveAttempt: readScript('reserve_attempt', 1),
  gatehouseReturnAttempt: readScript('return_attempt', 1),
  gatehouseFindLock: readScript('find_lock', 1),
  gatehouseLockAttempts: readScript('lock_attempts', 1),
  gatehouseUndoLock: readScript('undo_lock', 1),
  gatehouseClearAttempts: readScript('clear_attempts', 1),
}

export type ScriptName = keyof typeof scripts
