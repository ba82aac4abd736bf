import { test } from '@japa/runner'
import { toSafeSpan } from '#telemetry/tracing/safe_span'

const span = (name: string, attributes: object = {}) =>
  toSafeSpan({
    name,
    attributes,
    events: [{}],
    links: [{}],
    status: { code: 2, message: 'x' },
  } as never)

test.group('Safe span', () => {
  test('keeps method, route and status alone', ({ assert }) => {
    const { attributes } = span('GET /users/:id', {
      'http.route': '/users/:id',
      'http.response.status_code': 200,
      'url.path': '/users/planted',
      'http.target': '/users/planted?token=planted',
      'client.address': '203.0.113.9',
      'db.query.text': 'SELECT planted',
    })
    assert.deepEqual(attributes, { 'http.route': '/users/:id', 'http.response.status_code': 200 })
  })

  test('has no message, event or link', ({ assert }) => {
    const { status, events, links } = span('seal')
    assert.deepEqual({ status, events, links }, { status: { code: 2 }, events: [], links: [] })
  })

  test('{name} is shown as {shown}')
    .with([
      { name: 'GET /users/:id', shown: 'GET /users/:id' },
      { name: 'hash wait', shown: 'hash wait' },
      { name: 'GET https://example.org/planted', shown: 'GET' },
      { name: 'planted@example.org', shown: 'span' },
      { name: '@', shown: 'span' },
    ])
    .run(({ assert }, { name, shown }) => assert.equal(span(name).name, shown))

  test('a statement is shown by its first word', ({ assert }) => {
    const named = (statement: string) =>
      span('pg.query:hAsH gatehouse', { 'db.statement': statement })
    assert.equal(named('select * from planted').name, 'pg.query:SELECT')
    assert.equal(named('planted').name, 'pg.query')
  })
})
