/** The page for a browser without a valid token. It names no token, and says where to find one. */
export const refusalPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Holdfast</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { min-height: 90vh; display: grid; place-content: center; margin: 1rem; text-align: center }
</style>
</head>
<body><p>This address was used before or is incomplete. Open the new address that Holdfast has printed in its terminal.</p></body>
</html>
`
