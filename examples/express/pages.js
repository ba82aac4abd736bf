/** Escapes every value, because strangers write names and claims. */
function html(strings, ...values) {
  return String.raw({ raw: strings }, ...values.map((value) => value?.markup ?? escape(value)))
}

/** Marks text as our own markup, which is not escaped. */
const markup = (text) => ({ markup: text })

function escape(value) {
  return String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(title, body) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Example</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header><a href="/">Example application</a></header>
        <main>
          <h1>${title}</h1>
          ${markup(body)}
        </main>
      </body>
    </html>`
}

export function renderWelcome() {
  const body = html`<p>You are not signed in here.</p>
    <p><a class="button" href="/sign-in">Sign in with Gatehouse</a></p>`
  return page('Welcome', body)
}

export function renderProblem(title, text) {
  const body = html`<p role="alert">${text}</p>
    <div class="actions">
      <a class="button" href="/sign-in">Sign in again</a>
      <a class="button" href="/">Back to the start</a>
    </div>`
  return page(title, body)
}

/** @param userInfo the answer of `/oauth/userinfo`, if it was asked */
export function renderHome({ claims, goodUntil, hasTwoFactors }, userInfo) {
  const { name, email } = claims
  const body = html`<p>${email} · signed in with ${hasTwoFactors ? 'two factors' : 'one factor'}</p>
    <div class="actions">
      <a class="button" href="/userinfo">Ask for userinfo</a>
      <form method="post" action="/refresh"><button>Refresh the tokens</button></form>
      ${hasTwoFactors ? '' : markup('<a class="button" href="/step-up">Prove a second factor</a>')}
      <form method="post" action="/sign-out"><button>Sign out</button></form>
    </div>
    <p>The access token is good until ${new Date(goodUntil).toISOString().replace('T', ' ')}.</p>
    ${userInfo && markup(claimTable('Userinfo', userInfo))}
    ${markup(claimTable('Claims of the ID token', claims))}`
  return page(`Hello, ${name}`, body)
}

function claimTable(caption, claims) {
  const rows = Object.entries(claims).map(
    ([name, value]) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${typeof value === 'string' ? value : JSON.stringify(value)}</td>
      </tr>`
  )
  return html`<table>
    <caption>
      ${caption}
    </caption>
    ${markup(rows.join(''))}
  </table>`
}
