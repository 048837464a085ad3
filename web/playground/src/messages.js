// Messages of the page: a line at the bottom, and errors that stay until they are closed.

const box = document.getElementById('message');
box.querySelector('button').addEventListener('click', () => {
  box.hidden = true;
});

/** A line at the bottom. */
export function say(text) {
  document.getElementById('status').textContent = text;
}

/** An error, in the words of what threw it. */
export function showError(error) {
  box.querySelector('p').textContent = error?.message || String(error);
  box.hidden = false;
}

export function hideError() {
  box.hidden = true;
}

/** Lets a text be painted before the thread is busy. */
export function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Offers a file as a download. */
export function download(name, bytes, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
