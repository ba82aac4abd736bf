import { test } from '@japa/runner'
import { toText } from '#telemetry/family'
import { Histogram } from '#telemetry/histogram'

test.group('Metrics | text', () => {
  test('a label is escaped', ({ assert }) => {
    const samples = [{ labels: { route: 'a"b\\c\nd' }, value: 1 }]
    const text = toText({ name: 'x_total', help: 'Counts x.', type: 'counter', samples })
    assert.equal(text.split('\n')[2], 'x_total{route="a\\"b\\\\c\\nd"} 1')
  })
})

test.group('Metrics | histogram', () => {
  const samplesOf = (...ms: number[]) => {
    const histogram = new Histogram({ name: 'x_seconds', help: 'Of x.', bounds: [0.01, 0.1] })
    for (const each of ms) histogram.observe(each)
    return histogram.family().samples.map(({ value }) => value)
  }

  test('a duration at a bound lies within it', ({ assert }) => {
    assert.deepEqual(samplesOf(10).slice(0, 3), [1, 1, 1])
    assert.deepEqual(samplesOf(10.1).slice(0, 3), [0, 1, 1])
    assert.deepEqual(samplesOf(100.1).slice(0, 3), [0, 0, 1])
  })

  test('sum and count are of all durations', ({ assert }) => {
    assert.deepEqual(samplesOf(500, 1_500).slice(3), [2, 2])
  })

  test('a value that the label does not have is not measured', ({ assert }) => {
    const label = { name: 'operation', values: ['ping'] }
    const histogram = new Histogram({ name: 'x_seconds', help: 'Of x.', bounds: [1], label })
    histogram.observe(1, 'planted')
    assert.isTrue(histogram.family().samples.every(({ value }) => value === 0))
  })
})
