/*
 | Writes that were acknowledged to clients must exist at the end. After a missing response or a
 | 503, both outcomes are possible; after an acknowledgement, exactly one.
 */

export interface Session {
  token: string
  refreshToken: string
}

/** A user that one client uses at a time. */
export class AcknowledgedUser {
  /** Passwords of which one is right. There are several only after a change without an answer. */
  passwords: string[]
  usernames: string[]
  live: Session[] = []
  /** Sessions whose end was acknowledged, and that must never be accepted again. */
  ended: Session[] = []
  revoked: string[] = []
  /** Acknowledged changes by the action of their event. The trail has at least that many events. */
  events: Record<string, number> = {}
  /** Whether the user's deletion was acknowledged. It is `open` while it had no answer. */
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

  /** Notes a change of a value: certain if it was acknowledged or refused, otherwise open. */
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

  /** Removes sessions that may have ended, as far as the client knows. */
  forget(sessions: Session[]) {
    this.live = this.live.filter((session) => !sessions.includes(session))
  }
}
