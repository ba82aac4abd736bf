import { freezeTime, test } from '@japa/runner'
import limits from '#config/limits'
import { LIMITS } from './limits.ts'

/* Every limit × one less, as much, and one more. A new limit adds its row to LIMITS. */

type Name = keyof typeof limits

function limitOf(name: Name) {
  const limit = limits[name]
  return typeof limit === 'number' ? limit : limit.limit
}

/** In place: throttles keep a reference to their limit. */
function setLimit(name: Name, value: number) {
  const limit = limits[name]
  if (typeof limit === 'number') Object.assign(limits, { [name]: value })
  else limit.limit = value
}

const ROWS = (Object.keys(LIMITS) as Name[]).flatMap((name) =>
  [-1, 0, 1].map((more) => ({ name, count: (LIMITS[name].lowered ?? limitOf(name)) + more, more }))
)

test.group('Matrix | limits', () => {
  test('{name} allows {count}: {more} beside the limit')
    .with(ROWS)
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
