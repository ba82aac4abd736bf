import { test } from '@japa/runner'
import { rarePartIn, trigramsOf } from '#users/list/trigrams'

/** A hundred users, each of which has these trigrams. */
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
