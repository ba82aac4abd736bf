/**
 * Scripts cannot read these cookies (`httpOnly`). Forms of other sites do not send them (`lax`),
 * so our own forms need no token. With https, the prefix keeps other hosts of the same domain
 * from setting them.
 */
export function cookieJar({ protocol }) {
  const secure = protocol === 'https:'
  const prefix = secure ? '__Host-' : ''
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' }
  return {
    read: ({ headers }, name) => valueOf(prefix + name, headers.cookie),
    write: (response, name, value) => response.cookie(prefix + name, value, options),
    clear: (response, name) => response.clearCookie(prefix + name, options),
  }
}

function valueOf(name, header = '') {
  const pairs = header.split('; ').map((pair) => pair.split('='))
  const [, value] = pairs.find(([key]) => key === name) ?? []
  return value
}
