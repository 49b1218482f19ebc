/** A form's `onsubmit` that runs `act` instead of loading a page. */
export const submits =
  (act: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault()
    void act()
  }
