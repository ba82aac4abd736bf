import { test } from '@japa/runner'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cachedSample } from '#users/list/trigram_sample'
import { countTrigrams, rarePartIn, trigramsOf } from '#users/list/trigrams'

/** Makes a sample of a hundred users, all of whom have these trigrams. */
function sampleOf(common: string) {
  const counts = new Map(trigramsOf(common).map((each) => [each, 100]))
  return { counts, size: 100, takenAt: 0 }
}

test.group('Trigrams | the rare part of a text', () => {
  test('the rare part of {text} is {part}')
    .with([
      { text: 'person123456', part: 'on123456' },
      { text: 'PERSON123', part: 'ON123' },
      { text: '4711@example', part: '4711@ex' },
      { text: 'person', part: 'person' },
      { text: 'nobody', part: 'nobody' },
      { text: '12person', part: '12pe' },
      { text: 'ab', part: 'ab' },
      { text: 'İzmir😀person', part: 'İzmir😀pe' },
    ])
    .run(({ assert }, { text, part }) => {
      assert.equal(rarePartIn(sampleOf('person example'), text), part)
    })

  test('the whole text is rare without counts', ({ assert }) => {
    const unknown = { counts: new Map(), size: 0, takenAt: 0 }
    assert.equal(rarePartIn(unknown, 'person123'), 'person123')
  })
})

test.group('Trigrams | the sample of users', () => {
  const names = { email: 'Ada@x.org', username: 'ada', nickname: null, handle: 'ada' }

  test('counts a user once for each trigram', async ({ assert }) => {
    const counts = await countTrigrams([names, { ...names, email: 'eve@x.org' }])
    assert.deepEqual([counts.get('ada'), counts.get('eve'), counts.get('org')], [2, 1, 2])
  })

  test('lets requests in while it counts', async ({ assert }) => {
    let [turns, isCounted] = [0, false]
    const counting = countTrigrams(Array.from({ length: 1_000 }, () => names)).then(() => {
      isCounted = true
    })
    while (!isCounted) {
      await nextTurn()
      turns++
    }
    await counting
    assert.isAtLeast(turns, 10)
  })

  test('is taken once for searches at once, and again when it is old', async ({ assert }) => {
    let taken = 0
    const sample = cachedSample(async () => {
      await nextTurn()
      taken++
      return { counts: new Map(), size: 0, takenAt: taken === 1 ? 0 : Date.now() }
    })
    await sample()
    const recent = await Promise.all([sample(), sample(), sample()])
    assert.deepEqual([taken, new Set(recent).size], [2, 1])
    await sample()
    assert.equal(taken, 2)
  })
})
