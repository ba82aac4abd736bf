/*
 | Writes that were acknowledged to clients, which must be there at the end. After a missing
 | response or a 503 both outcomes are possible, after an acknowledgement exactly one.
 */

export interface Session {
  token: string
  refreshToken: string
}

/** One user, used by one client at a time. */
export class AcknowledgedUser {
  /** Passwords of which one is right: more than one only after a change without an answer. */
  passwords: string[]
  usernames: string[]
  live: Session[] = []
  /** What was acknowledged as ended, and must never be accepted again. */
  ended: Session[] = []
  revoked: string[] = []
  /** Acknowledged changes by the action of their event: each has at least that many. */
  events: Record<string, number> = {}
  /** Whether their deletion was acknowledged; open while it had no answer. */
  deletion: 'none' | 'open' | 'acknowledged' = 'none'

  constructor(
    readonly id: string,
    readonly email: string,
    password: string,
    username: string
  ) {
    this.passwords = [password]
    this.usernames = [username]
  }

  /** A change of a value: certain when it was acknowledged or refused, open otherwise. */
  resolve(field: 'passwords' | 'usernames', value: string, status: number | null) {
    if (status === 200) this[field] = [value]
    else if (status === null || status === 503) this[field].push(value)
  }

  /** Notes the event of a change that was acknowledged. */
  expectEvent(action: string) {
    this.events[action] = (this.events[action] ?? 0) + 1
  }

  end(sessions: Session[]) {
    this.ended.push(...sessions)
    this.live = this.live.filter((session) => !sessions.includes(session))
  }

  /** Sessions of which the client does not know whether they ended. */
  forget(sessions: Session[]) {
    this.live = this.live.filter((session) => !sessions.includes(session))
  }
}
