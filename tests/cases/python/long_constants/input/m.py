SHORT = "short"
STRING = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
LINES = """
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
line of text
"""
TABLE = {
    'key0': 0,
    'key1': 1,
    'key2': 2,
    'key3': 3,
    'key4': 4,
    'key5': 5,
    'key6': 6,
    'key7': 7,
    'key8': 8,
    'key9': 9,
    'key10': 10,
    'key11': 11,
    'key12': 12,
    'key13': 13,
    'key14': 14,
    'key15': 15,
    'key16': 16,
    'key17': 17,
    'key18': 18,
    'key19': 19,
    'key20': 20,
    'key21': 21,
    'key22': 22,
    'key23': 23,
    'key24': 24,
    'key25': 25,
    'key26': 26,
    'key27': 27,
    'key28': 28,
    'key29': 29,
    'key30': 30,
    'key31': 31,
    'key32': 32,
    'key33': 33,
    'key34': 34,
    'key35': 35,
    'key36': 36,
    'key37': 37,
    'key38': 38,
    'key39': 39,
    'key40': 40,
    'key41': 41,
    'key42': 42,
    'key43': 43,
    'key44': 44,
    'key45': 45,
    'key46': 46,
    'key47': 47,
    'key48': 48,
    'key49': 49,
    'key50': 50,
    'key51': 51,
    'key52': 52,
    'key53': 53,
    'key54': 54,
    'key55': 55,
    'key56': 56,
    'key57': 57,
    'key58': 58,
    'key59': 59,
}
LIST = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199]
MULTI = (
    1,
    2,  # a comment
    3,
)
NESTED = {"a": {"b": [1, 2, {"c": (1,)}]}}
CALL = make(a0=0, a1=1, a2=2, a3=3, a4=4, a5=5, a6=6, a7=7, a8=8, a9=9, a10=10, a11=11, a12=12, a13=13, a14=14, a15=15, a16=16, a17=17, a18=18, a19=19, a20=20, a21=21, a22=22, a23=23, a24=24, a25=25, a26=26, a27=27, a28=28, a29=29, a30=30, a31=31, a32=32, a33=33, a34=34, a35=35, a36=36, a37=37, a38=38, a39=39, a40=40, a41=41, a42=42, a43=43, a44=44, a45=45, a46=46, a47=47, a48=48, a49=49, a50=50, a51=51, a52=52, a53=53, a54=54, a55=55, a56=56, a57=57, a58=58, a59=59)
SQL = (
    "select * "
    "from t"
)
TYPED: dict[str, int] = {'k0': 0, 'k1': 1, 'k2': 2, 'k3': 3, 'k4': 4, 'k5': 5, 'k6': 6, 'k7': 7, 'k8': 8, 'k9': 9, 'k10': 10, 'k11': 11, 'k12': 12, 'k13': 13, 'k14': 14, 'k15': 15, 'k16': 16, 'k17': 17, 'k18': 18, 'k19': 19, 'k20': 20, 'k21': 21, 'k22': 22, 'k23': 23, 'k24': 24, 'k25': 25, 'k26': 26, 'k27': 27, 'k28': 28, 'k29': 29, 'k30': 30, 'k31': 31, 'k32': 32, 'k33': 33, 'k34': 34, 'k35': 35, 'k36': 36, 'k37': 37, 'k38': 38, 'k39': 39, 'k40': 40, 'k41': 41, 'k42': 42, 'k43': 43, 'k44': 44, 'k45': 45, 'k46': 46, 'k47': 47, 'k48': 48, 'k49': 49, 'k50': 50, 'k51': 51, 'k52': 52, 'k53': 53, 'k54': 54, 'k55': 55, 'k56': 56, 'k57': 57, 'k58': 58, 'k59': 59}
F = f"{SHORT} and more"
B = b"\x00\xff"
BACKSLASH = 1 + \
    2
LAMBDA = lambda x, *y: (x, y)
COND = 1 if SHORT else 2
COMP = [x for x in range(10)]

class C:
    RULES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '20', '21', '22', '23', '24', '25', '26', '27', '28', '29', '30', '31', '32', '33', '34', '35', '36', '37', '38', '39', '40', '41', '42', '43', '44', '45', '46', '47', '48', '49', '50', '51', '52', '53', '54', '55', '56', '57', '58', '59', '60', '61', '62', '63', '64', '65', '66', '67', '68', '69', '70', '71', '72', '73', '74', '75', '76', '77', '78', '79', '80', '81', '82', '83', '84', '85', '86', '87', '88', '89', '90', '91', '92', '93', '94', '95', '96', '97', '98', '99']
    """The rules."""
