/** The page for a browser that may not come in (yet). It names no token, and says where one is. */
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
<body><p>This address of Holdfast has been used or is not complete: look at the terminal where Holdfast runs, and open the fresh address printed there.</p></body>
</html>
`
