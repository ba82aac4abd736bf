/**
 * Cookies out of the reach of scripts (`httpOnly`), which forms of other sites do not bring
 * (`lax`): our own forms need no token. Behind https the prefix keeps neighbours of the same
 * domain from planting them.
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
