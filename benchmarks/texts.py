"""Invented sentences in several scripts, the same on every machine."""

from __future__ import annotations

from functools import cache
from random import Random

_LATIN = {
    "english": "the order parcel refund arrived late please check status of your delivery we sent one tomorrow it's",
    "spanish": "el pedido llegó tarde por favor revise la dirección señor mañana enviamos otro paquete según petición",
    "russian": "заказ отправлен но посылка ещё не пришла проверьте статус возврата пожалуйста завтра мы вышлем новую",
    "emoji": "thanks 🎉 my parcel 📦 is here now 👍🏽 but one lamp 💡 is broken 😕 can you send another soon 🙏",
}
_UNSPACED = {
    "chinese": "订单已经发货但是包裹还没有到请检查退款状态谢谢您明天我们会再寄一个新的给客户地址电话",
    "japanese": "ご注文の商品は発送済みですがまだ届いていませんので返金の状況を確認してくださいありがとう",
}
LANGUAGES = (*_LATIN, *_UNSPACED)
_POOL = 400


@cache
def _sentences(language: str) -> tuple[str, ...]:
    random = Random(language)
    if language in _LATIN:
        words = _LATIN[language].split()
        made = (" ".join(random.choices(words, k=random.randint(5, 16))) for _ in range(_POOL))
        return tuple(f"{text[:1].upper()}{text[1:]}. " for text in made)
    signs = _UNSPACED[language]
    return tuple("".join(random.choices(signs, k=random.randint(8, 30))) + "。" for _ in range(_POOL))


def text(random: Random, language: str, fewest: int, most: int) -> str:
    """A text of so many sentences; one in eight has line breaks between them, one in eight quotes something."""
    chosen = random.choices(_sentences(language), k=random.randint(fewest, most))
    look = random.random()
    if look < 1 / 8:
        return "\n".join(sentence.strip() for sentence in chosen)
    joined = "".join(chosen).strip()
    return f'"{joined}"' if look > 7 / 8 else joined
