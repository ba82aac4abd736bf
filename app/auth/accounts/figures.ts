import db from '@adonisjs/lucid/services/db'

export interface AccountFigures {
  total: number
  locked: number
  disabled: number
  invited: number
}

/** How many accounts there are, and how many of them cannot sign in at this moment. */
export async function countAccounts(now = Date.now()): Promise<AccountFigures> {
  const users = () => db.from('users').count('* as total')
  const [all, locked, disabled, invited] = await Promise.all([
    users(),
    users().where('locked_until', '>', now),
    users().whereNotNull('disabled_at'),
    users().whereNull('password').whereNull('provider').whereNull('last_login_at'),
  ])
  const total = ([row]: any[]) => Number(row.total)
  return {
    total: total(all),
    locked: total(locked),
    disabled: total(disabled),
    invited: total(invited),
  }
}
