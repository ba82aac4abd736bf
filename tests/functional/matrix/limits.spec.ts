import { freezeTime, test } from '@japa/runner'
import limits from '#config/limits'
import { cellsHere } from '#tests/support/proved_on'
import { LIMITS } from './limits.ts'
import { CLIENT_FIELD_LIMITS } from './client_field_limits.ts'
import { TEXT_LIMITS } from './text_limits.ts'

/* Every limit × one less, exactly the limit, and one more. A new limit adds its row to LIMITS. */

type Name = keyof typeof limits

function limitOf(name: Name) {
  const limit = limits[name]
  return typeof limit === 'number' ? limit : limit.limit
}

/** Changes the limit in place, because throttles keep a reference to it. */
function setLimit(name: Name, value: number) {
  const limit = limits[name]
  if (typeof limit === 'number') Object.assign(limits, { [name]: value })
  else limit.limit = value
}

const ROWS = (Object.keys(LIMITS) as Name[]).flatMap((name) =>
  [-1, 0, 1].map((more) => ({ name, count: (LIMITS[name].lowered ?? limitOf(name)) + more, more }))
)

/** A longer text is refused before it is stored; every database must hold the longest one. */
const isEverywhere = ({ name, more }: (typeof ROWS)[number]) =>
  more === 0 || !(name in TEXT_LIMITS || name in CLIENT_FIELD_LIMITS)

test.group('Matrix | limits', () => {
  test('{name} allows {count}: {more} beside the limit')
    .with(cellsHere(ROWS, isEverywhere))
    .run(async ({ client, assert, cleanup }, { name, count, more }) => {
      const { lowered, isAllowed } = LIMITS[name]
      const limit = limitOf(name)
      cleanup(() => setLimit(name, limit))
      if (lowered) setLimit(name, lowered)
      freezeTime()
      const isLastAllowed = await isAllowed(count, client)
      assert.equal(isLastAllowed, more <= 0)
    })
})
