"""What an object looks like: its `_repr_…_` methods as a bundle by MIME type."""

import base64

_methods = {
    'text/html': '_repr_html_',
    'text/markdown': '_repr_markdown_',
    'text/latex': '_repr_latex_',
    'image/svg+xml': '_repr_svg_',
    'image/png': '_repr_png_',
    'image/jpeg': '_repr_jpeg_',
    'application/json': '_repr_json_',
}


def encoded(data):
    """`data` with bytes as base64, as JSON carries them."""
    return {
        mime: base64.b64encode(value).decode('ascii') if isinstance(value, bytes) else value
        for mime, value in data.items()
    }


def bundle(value):
    """The data and metadata of one object; a method that fails leaves its type out."""
    if isinstance(value, type):
        return {'text/plain': repr(value)}, {}
    data, metadata = {}, {}
    for mime, method in _methods.items():
        found = _called(value, method)
        if isinstance(found, tuple) and len(found) == 2:
            found, metadata[mime] = found
        if found is not None:
            data[mime] = found
    whole = _called(value, '_repr_mimebundle_', include=None, exclude=None)
    if isinstance(whole, tuple):
        whole, more = whole
        metadata.update(more)
    data.update(whole or {})
    data.setdefault('text/plain', repr(value))
    return encoded(data), metadata


def _called(value, method, **kwargs):
    run = getattr(value, method, None)
    if not callable(run):
        return None
    try:
        return run(**kwargs)
    except Exception:
        return None
